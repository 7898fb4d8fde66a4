package org.mscclj.gpu.context;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.waiting.Backoff;

/**
 * Detects that a GPU's context is lost, because a kernel or the GPU has failed. The driver then answers each call with
 * the same error, and completes no work any more.
 *
 * <p>A thread queries the driver ten times a second, as long as there are listeners. It enqueues a write of a few bytes
 * on a stream of its own, so that the driver has to access the GPU; other streams may be idle, or be captured. Another
 * thread that gets such an error wakes it. If the driver blocks the thread, {@link StallWatch} detects the loss.
 *
 * <p>Happens-before: all listeners have returned before {@link #isLost} is true. So a thread that finds a launch ended
 * because the context is lost also sees the writes of the listeners.
 */
final class FaultWatch {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_STOP_MILLIS = 1_000;
    private static final int KEPT = 4;

    private final DeviceContext context;
    private final StreamPrimer firstWork;
    private final CopyOnWriteArrayList<Consumer<BackendException>> listeners = new CopyOnWriteArrayList<>();

    /** Taken to start and to stop the thread. */
    private final ReentrantLock changing = new ReentrantLock();

    private @Nullable Watcher watcher;

    /** The last launches, as strings or as objects whose strings name them. Racy: they are only for messages. */
    private final Object[] launched = new Object[KEPT];

    private int launches;

    private volatile @Nullable Fault fault;
    private volatile boolean lost;

    FaultWatch(DeviceContext context, StreamPrimer firstWork) {
        this.context = context;
        this.firstWork = firstWork;
    }

    /** Whether the context is lost, and all listeners have been notified. */
    boolean isLost() {
        return lost;
    }

    /** Records a launch for messages. Allocates nothing. */
    void launched(Object kernel) {
        launched[launches++ & (KEPT - 1)] = kernel;
    }

    /**
     * Creates the exception of a failed call. If the error means that the context is lost, all listeners are notified.
     */
    BackendException failure(int result, String function) {
        return context.driver().errors().isOfLostContext(result)
                ? note(result, function)
                : context.driver().failure(result, function);
    }

    /**
     * The first failure that was found. Later failing calls repeat it.
     *
     * @param code the driver's result, or the number of an error event
     * @param symbol its name
     */
    private record Fault(String text, long code, String symbol) {
        BackendException exception() {
            return new BackendException(text, code, symbol);
        }
    }

    private BackendException note(int result, String function) {
        return noted(
                        context.driver().errors().text(result) + ", as " + function + " found",
                        result,
                        context.driver().errors().name(result))
                .exception();
    }

    private Fault noted(String what, long code, String symbol) {
        Fault known = fault;
        if (known == null) {
            synchronized (this) {
                known = fault;
                if (known == null) {
                    known = new Fault(
                            "GPU " + context.ordinal() + " has failed: " + what + "; " + lastLaunches()
                                    + "; nothing ends on this GPU any more: close what uses it, and go on in a"
                                    + " new process",
                            code,
                            symbol);
                    fault = known;
                }
            }
        }
        Watcher thread = watcher;
        if (thread == null) {
            lost = true; // there is no listener
        } else {
            LockSupport.unpark(thread.thread);
        }
        return known;
    }

    private String lastLaunches() {
        List<String> names = new ArrayList<>();
        int last = launches;
        for (int i = 1; i <= KEPT; i++) {
            Object kernel = launched[(last - i) & (KEPT - 1)];
            if (kernel != null && !names.contains(kernel.toString())) {
                names.add(kernel.toString());
            }
        }
        return names.isEmpty()
                ? "this process has launched nothing there"
                : "launched there last, the newest first: " + String.join(", ", names);
    }

    /**
     * Calls a listener once or twice when the context is lost, in a thread of this class or in the calling thread. The
     * listener must not block.
     *
     * @return ends the calls when it is closed
     */
    AutoCloseable listen(Consumer<BackendException> listener) {
        changing.lock();
        try {
            listeners.add(listener);
            Fault known = fault;
            if (known != null) { // the thread may have notified the others already
                listener.accept(known.exception());
            } else if (watcher == null) {
                start();
            }
        } finally {
            changing.unlock();
        }
        return () -> forget(listener);
    }

    private void start() {
        long stream = context.within(() -> firstWork.createStream(false));
        Watcher next = new Watcher(stream);
        watcher = next;
        next.start();
    }

    private void forget(Consumer<BackendException> listener) {
        changing.lock();
        try {
            listeners.remove(listener);
            Watcher thread = watcher;
            if (listeners.isEmpty() && thread != null) {
                watcher = null;
                thread.stop();
            }
        } finally {
            changing.unlock();
        }
    }

    /** The thread that queries the driver, and its stream. */
    private final class Watcher {
        private static final long IDLE = 0;

        private final long stream;
        private final Thread thread;
        private final StallWatch stalls = new StallWatch(context, this::stall, this::stalled);
        private volatile boolean stopped;

        /**
         * The start of the current call of the driver, as of {@link System#nanoTime}; {@link #IDLE} if there is none.
         */
        private volatile long asking;

        Watcher(long stream) {
            this.stream = stream;
            this.thread = Thread.ofPlatform()
                    .daemon()
                    .name("mscclj-gpu-watch-" + context.ordinal())
                    .unstarted(this::watch);
        }

        void start() {
            thread.start();
            stalls.start(thread.getName() + "-stall");
        }

        private long stall() {
            long since = asking;
            return since == IDLE ? 0 : System.nanoTime() - since;
        }

        /**
         * Notifies the listeners while this watcher's thread is blocked in the driver. That thread notifies them once
         * more when the driver returns.
         */
        private void stalled(String symbol, long number) {
            Fault found = noted(
                    "the kernel driver has reported " + symbol + ", and the "
                            + context.driver().terms().api() + " driver keeps the calls of this process",
                    number,
                    symbol);
            tell(found.exception());
        }

        private void watch() {
            while (!stopped) {
                Backoff.nap(PAUSE_NANOS);
                int result = fault == null && !stopped ? ask() : DriverErrors.SUCCESS;
                if (context.driver().errors().isOfLostContext(result)) {
                    BackendException _ = note(result, "a look at the GPU");
                }
                Fault found = fault;
                if (found != null) {
                    tell(found.exception());
                    return;
                }
            }
        }

        private void tell(BackendException found) {
            for (Consumer<BackendException> listener : listeners) {
                listener.accept(found);
            }
            lost = true;
        }

        /**
         * Returns the driver's result for the last write, or for a new write if the last one has ended. Errors about
         * captures and similar errors do not concern the GPU.
         */
        private int ask() {
            asking = System.nanoTime() | 1; // not IDLE
            long before = context.enter();
            try (RelaxedThread _ = context.relax()) {
                int result = context.driver().streams().query(stream);
                return result == DriverErrors.SUCCESS ? firstWork.write(stream) : result;
            } finally {
                context.leave(before);
                asking = IDLE;
            }
        }

        /** Stops the thread, and destroys the stream. If the driver blocks the thread, the stream is left. */
        void stop() {
            stopped = true;
            stalls.stop();
            LockSupport.unpark(thread);
            boolean interrupted = false;
            try {
                thread.join(MAX_STOP_MILLIS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
            if (!thread.isAlive()) {
                context.run(() ->
                        context.driver().checkFreed(context.driver().streams().destroy(stream), "closing a stream"));
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
