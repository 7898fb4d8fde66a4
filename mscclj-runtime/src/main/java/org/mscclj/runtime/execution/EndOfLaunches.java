package org.mscclj.runtime.execution;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.recorder.RecordedOperation;

/**
 * Waits for what is in flight, whatever happens: it uses the memory that is freed next. What a peer does not join
 * within the communicator's timeout, or never will as it has closed, is ended on all ranks, so that nobody waits for
 * ever.
 *
 * @param environment of the launches
 * @param alone whether only some ranks make them
 * @param own their operation
 * @param late what joining throws that has waited in vain
 */
record EndOfLaunches(ExecutionEnvironment environment, boolean alone, RecordedOperation own, Lateness late) {
    /** What joining throws. */
    @FunctionalInterface
    interface Lateness {
        /**
         * Tells why launches have not ended.
         *
         * @param nanos how long they were waited for
         * @param vain what is waited for in vain, if that is known
         */
        MsccljException exception(long nanos, ClosedRanks.@Nullable Vain vain);
    }

    private static final System.Logger LOGGER = System.getLogger(EndOfLaunches.class.getName());

    /**
     * What fails for so long has failed for good: before, it may have met a capture of another thread. Then the
     * communicator is aborted, and if it fails for as long after that, there is no device any more that could use the
     * memory.
     */
    private static final long LONGEST_FAILING_NANOS = 500_000_000;

    private static final long PAUSE_NANOS = 1_000_000;

    /**
     * Waits; throws nothing, and keeps an interrupt for later.
     *
     * @param within waits so many nanoseconds at most, or until an interrupt, and says whether all has ended; throws
     *     what the device says
     */
    void await(LongPredicate within) {
        boolean interrupted = false;
        boolean failing = false;
        long failingSince = 0;
        ClosedRanks closed = new ClosedRanks(environment, alone, own);
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(environment.timeout());
        while (true) {
            try {
                long left = limit - (System.nanoTime() - start);
                if (within.test(Math.clamp(left, 0, ClosedRanks.LOOK_NANOS))) {
                    break;
                }
                failing = false;
            } catch (RuntimeException | Error e) {
                long now = System.nanoTime();
                failingSince = failing ? failingSince : now;
                failing = true;
                if (now - failingSince >= 2 * LONGEST_FAILING_NANOS) {
                    LOGGER.log(Level.WARNING, "memory is freed of launches whose device has failed", e);
                    break;
                }
                if (now - failingSince >= LONGEST_FAILING_NANOS) {
                    environment.abort().fail("closed while in flight, and it cannot be seen whether that ends: " + e);
                }
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            interrupted |= Thread.interrupted();
            long waited = System.nanoTime() - start;
            ClosedRanks.Vain vain = closed.look();
            if (waited >= limit || vain != null) {
                end(late.exception(waited, vain));
                limit = Long.MAX_VALUE;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(MsccljException why) {
        String reason = "closed while in flight: " + why.getMessage();
        if (why instanceof RankLostException lost) {
            environment.abort().lose(lost.rank(), reason);
        } else {
            environment.abort().fail(reason);
        }
    }
}
