package org.mscclj.backend.cuda.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.stream.CudaStream;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.spi.engine.Backoff;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * A prepared launch: a kernel for each round, and one that scales the output if need be.
 *
 * <p>The last kernel's blocks write the launch's number into words of the host's memory. Captured launches do not: nobody counts how often they run;
 * their blocks count that themselves, in words of their own.
 */
final class CudaLaunch implements PreparedLaunch {
    /** How often the driver is asked whether something has failed while a launch is awaited: once in so many looks at its words. */
    private static final int LOOKS_BETWEEN_QUERIES = 1 << 10;

    /** Made at a thread's first wait, for all launches that it waits for. */
    private static final ThreadLocal<Backoff> BACKOFF = ThreadLocal.withInitial(Backoff::new);

    private final CudaPlanContext context;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final @Nullable RoundKernel fullRound;
    private final @Nullable RoundKernel lastRound;
    private final @Nullable OutputScaling scaling;
    private final long rounds;
    private final long roundBytes;
    private final int endWords;
    private final HostWords.Words finished;
    private final HostWords.Words replays;

    private @Nullable CudaStream lastStream;
    private long lastTicket;
    private volatile long enqueued;
    /** Launches that had ended when this was closed, and its words went to somebody else. */
    private volatile long endedUpTo;

    private boolean closed;

    CudaLaunch(CudaPlanContext context, LaunchSpec spec) {
        this.context = context;
        LaunchGeometry geometry = spec.geometry();
        this.rounds = geometry.rounds();
        this.roundBytes = geometry.fullRoundBytes();
        HostWords pool = context.engine().words();
        try {
            this.fullRound = rounds > 1 ? add(new RoundKernel(context, spec, geometry.round(0))) : null;
            this.lastRound = rounds > 0 ? add(new RoundKernel(context, spec, geometry.round(rounds - 1))) : null;
            this.scaling = spec.scalesOutput() && rounds > 0 ? add(new OutputScaling(context, spec)) : null;
            this.endWords = scaling != null ? scaling.blocks() : context.blocks();
            this.finished = pool.take(endWords);
            resources.add(() -> pool.giveBack(finished));
            this.replays = pool.take(endWords);
            resources.add(() -> pool.giveBack(replays));
        } catch (RuntimeException | Error e) {
            free();
            throw e;
        }
    }

    private <T extends AutoCloseable> T add(T resource) {
        resources.add(resource);
        return resource;
    }

    @Override
    public long enqueue(Stream stream, boolean callerJoins) {
        CudaStream cuda = CudaStream.of(stream);
        boolean capturing = cuda.isCapturing();
        synchronized (context.queue()) {
            if (closed) {
                throw new InvalidArgumentException("this operation is closed; prepare another one");
            }
            long ticket = context.queue().begin(cuda, capturing);
            if (capturing) {
                launch(cuda, 0, replays.address());
                return enqueued;
            }
            long number = enqueued + 1;
            launch(cuda, number, 0);
            context.expectPushes();
            lastStream = cuda;
            lastTicket = ticket;
            enqueued = number;
            return number;
        }
    }

    private void launch(CudaStream stream, long number, long counts) {
        for (long round = 0; round < rounds; round++) {
            boolean last = round == rounds - 1;
            RoundKernel kernel = last ? lastRound : fullRound;
            if (kernel != null) {
                boolean ends = last && scaling == null;
                kernel.launch(
                        stream.handle(), round * roundBytes, finished.address(), ends ? number : 0, ends ? counts : 0);
            }
        }
        if (scaling != null) {
            scaling.launch(stream.handle(), finished.address(), number, counts);
        }
    }

    @Override
    public long enqueued() {
        return enqueued;
    }

    @Override
    public boolean isEnded(long number) {
        if (rounds == 0 || number <= endedUpTo) {
            return true;
        }
        for (int word = 0; word < endWords; word++) {
            if (finished.getAcquire(word) < number) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean await(long number, long nanos) {
        if (isEnded(number)) {
            noteEnd(number);
            return true;
        }
        Backoff backoff = BACKOFF.get();
        backoff.start(nanos);
        int looks = 0;
        while (!isEnded(number)) {
            if (++looks % LOOKS_BETWEEN_QUERIES == 0) {
                failIfFailed();
            }
            if (Thread.currentThread().isInterrupted() || !backoff.pause()) {
                return isEnded(number); // who waits knows what an interrupt means to him
            }
        }
        noteEnd(number);
        return true;
    }

    /** Throws if the driver reports a failure, after which no kernel ends. */
    private void failIfFailed() {
        CudaStream stream = lastStream;
        if (stream != null && !stream.isClosed() && !stream.isCapturing()) {
            stream.isIdle();
        }
    }

    private void noteEnd(long number) {
        synchronized (context.queue()) {
            if (number == enqueued && rounds > 0) { // a launch of 0 bytes ends before those that it follows
                context.queue().ended(lastTicket);
            }
        }
    }

    @Override
    public void orderAfter(long number, Stream stream) {
        CudaStream then = CudaStream.of(stream);
        if (then.isCapturing()) {
            synchronized (context.queue()) {
                context.queue().orderCapturedAfter(then);
            }
            return;
        }
        CudaStream first = lastStream;
        if (first != null && first.handle() != then.handle() && !isEnded(number)) {
            LaunchQueue.orderAfter(first, then, context.engine().device());
        }
    }

    private void free() {
        for (int i = resources.size() - 1; i >= 0; i--) {
            try {
                resources.get(i).close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        resources.clear();
    }

    @Override
    public void close() {
        synchronized (context.queue()) {
            if (!closed) {
                closed = true;
                endedUpTo = enqueued;
                free();
            }
        }
    }
}
