package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.occupancy.DeviceQuiescence;
import org.mscclj.spi.engine.ReplayListener;
import org.mscclj.spi.waiting.Backoff;

/**
 * Captured work that is ready to be launched. The driver executes launches of one graph one after the other. The
 * launches of communicators in the graph are ordered with their other launches.
 */
final class GpuGraph implements Graph {
    private static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /**
     * The longest wait for a moment without kernels. The driver seldom waits for kernels to make a graph: only when it
     * needs memory. A running kernel may be waiting for a launch of this very graph.
     */
    private static final Duration MAX_WAIT = Duration.ofMillis(2);

    private final DeviceContext context;
    private final long executable;
    private final CapturedLaunch[] launches;
    private final ReplayOrder[] orders;
    private final boolean[] shared;
    private final ReplayListener[] listeners;
    private final long[] tickets;
    private final Optional<GraphLife> life;
    private boolean closed;

    private GpuGraph(DeviceContext context, long executable, CapturedLaunches captured) {
        this.context = context;
        this.executable = executable;
        this.launches = captured.launches();
        this.orders = captured.orders();
        this.shared = captured.shared(orders);
        this.listeners = captured.listeners(orders);
        this.tickets = new long[orders.length];
        this.life = captured.life();
    }

    /** Instantiates a captured graph, and frees the captured description. */
    static GpuGraph instantiate(DeviceContext context, long graph, long stream, CapturedLaunches captured) {
        GpuGraph made;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment executable = arena.allocate(ValueLayout.JAVA_LONG);
            DeviceQuiescence.of(context).await(MAX_WAIT, () -> make(context, executable, graph, stream));
            made = new GpuGraph(context.share(), executable.get(ValueLayout.JAVA_LONG, 0), captured);
        } catch (RuntimeException | Error e) {
            context.use();
            int _ = context.driver().graphs().destroy(graph); // the first failure is what the caller needs
            throw e;
        }
        context.use(); // waiting may have moved a virtual thread
        int destroyed = context.driver().graphs().destroy(graph);
        if (destroyed != DriverErrors.SUCCESS) {
            try (made) {
                throw context.driver().failure(destroyed, "closing a captured graph");
            }
        }
        return made;
    }

    private static MemorySegment make(DeviceContext context, MemorySegment executable, long graph, long stream) {
        context.use(); // here: waiting may move a virtual thread
        context.driver()
                .check(context.driver().graphs().instantiate(executable, graph), "the instantiation of a graph");
        long made = executable.get(ValueLayout.JAVA_LONG, 0);
        int uploaded = context.driver().graphs().upload(made, stream);
        if (uploaded != DriverErrors.SUCCESS) {
            int _ = context.driver().graphs().destroyExecutable(made);
            throw context.driver().failure(uploaded, "the upload of a graph");
        }
        return executable;
    }

    @Override
    public void launch(Stream stream) {
        GpuStream _ = GpuStream.of(stream, context); // first: a call that will be refused must not wait for capacity
        for (ReplayOrder order : orders) {
            order.awaitCapacity(1); // here, without the monitor: closing must not wait for a thread that waits
        }
        launchNow(stream);
    }

    private synchronized void launchNow(Stream stream) {
        if (closed) {
            throw new InvalidArgumentException("the graph is closed; capture another one");
        }
        GpuStream own = GpuStream.of(stream, context);
        if (own.isCapturing()) {
            throw new InvalidArgumentException("the stream is being captured; launch a graph on a stream that is not");
        }
        int locked = 0;
        try {
            while (locked < orders.length) {
                orders[locked].lock().lock();
                locked++;
            }
            launchInOrder(own);
        } finally {
            while (locked > 0) {
                orders[--locked].lock().unlock();
            }
        }
        for (int i = 0; i < orders.length; i++) {
            listeners[i].replayed(tickets[i]);
            orders[i].replayed(tickets[i]);
        }
        for (CapturedLaunch launch : launches) {
            launch.replayed();
        }
    }

    /** Launches the graph if all orders allow it. Only then takes a ticket in each order. */
    private void launchInOrder(GpuStream stream) {
        for (ReplayOrder order : orders) {
            order.follow(stream);
        }
        stream.ensureFirstWork();
        long before = context.enter(); // here: waiting for a lock may move a virtual thread
        int result = context.driver().graphs().launch(executable, stream.handle());
        context.leave(before);
        context.launched("a graph");
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "the replay of a graph");
        }
        for (int i = 0; i < orders.length; i++) {
            tickets[i] = orders[i].beginReplay(stream, shared[i]);
        }
        for (ReplayOrder order : orders) {
            order.markReplay();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try (context) {
                context.run(() -> context.driver()
                        .checkFreed(context.driver().graphs().destroyExecutable(executable), "closing a graph"));
            }
            life.ifPresent(GpuGraph::awaitEnd);
        }
    }

    /**
     * Waits for the graph's end, which a thread of the driver reports a moment later. Then the resources of the graph
     * can be closed.
     */
    private static void awaitEnd(GraphLife life) {
        Backoff backoff = Backoff.every(PAUSE_NANOS);
        backoff.start(MAX_END_NANOS);
        boolean _ = backoff.awaitUninterruptibly(life::isOver);
    }
}
