package org.mscclj.gpu.context;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mscclj.gpu.driver.DeviceErrorEvents;

/**
 * Detects that a GPU has failed while its driver does not answer. When a kernel has trapped, the CUDA driver blocks
 * each call until it has cleared the hardware queues of the process one by one: 3.4 s for 32 queues on an H100 with
 * driver 580. The kernel driver reports an error event within 10 ms.
 *
 * <p>An error event does not identify the process that has caused it. It counts only if the driver also blocks a call
 * of this process.
 */
final class StallWatch {
    /** Called when the GPU has failed. */
    interface Failed {
        /**
         * Reports that the GPU has failed.
         *
         * @param symbol of the error event
         * @param number of the error event
         */
        void accept(String symbol, long number);
    }

    private static final System.Logger LOG = System.getLogger(StallWatch.class.getName());

    /**
     * The time for which the driver must block the call. It may take 450 ms to report a misaligned address by itself.
     */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(550);

    /** The time for which an error is remembered: a later stall has another cause. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int WAIT_MILLIS = 200;
    private static final int WAIT_FOR_STALL_MILLIS = 25;

    private final DeviceContext context;
    private final LongSupplier stall;
    private final Failed failed;
    private volatile boolean stopped;

    /**
     * Creates a watch for a GPU; {@link #start} starts it.
     *
     * @param stall how long the driver has blocked the current call, in nanoseconds; 0 if there is none
     * @param failed called once, in a thread of this class
     */
    StallWatch(DeviceContext context, LongSupplier stall, Failed failed) {
        this.context = context;
        this.stall = stall;
        this.failed = failed;
    }

    void start(String name) {
        Thread.ofPlatform().daemon().name(name).start(this::watch);
    }

    /** Requests that the watch stops soon. Does not wait. */
    void stop() {
        stopped = true;
    }

    private void watch() {
        UUID gpu = context.uuid();
        Optional<DeviceErrorEvents> opened = context.driver().errorEvents(gpu);
        if (opened.isEmpty()) {
            LOG.log(Level.DEBUG, "the system reports no errors of GPU {0}: the driver alone is asked", gpu);
            return;
        }
        try (DeviceErrorEvents events = opened.orElseThrow()) {
            watch(events);
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "the system reports no errors any more: the driver alone is asked", e);
        }
    }

    private void watch(DeviceErrorEvents events) {
        long last = 0;
        long forgotten = 0;
        while (!stopped) {
            long number = events.await(last == 0 ? WAIT_MILLIS : WAIT_FOR_STALL_MILLIS);
            long now = System.nanoTime();
            if (number != 0) {
                last = number;
                forgotten = now + KEPT_NANOS;
            }
            if (last != 0 && stall.getAsLong() >= STALL_NANOS) {
                failed.accept(events.symbol(last), last);
                return;
            }
            if (last != 0 && now - forgotten > 0) {
                last = 0;
            }
        }
    }
}
