package org.mscclj.runtime.execution.waiting;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.waiting.Backoff;

/**
 * Waits for the launches in flight, whatever happens: they use the memory that is freed next. If a peer does not take
 * part in a launch within the communicator's timeout, or never will because it has closed, this class aborts the
 * communicator on all ranks, so that no rank waits for ever.
 *
 * @param environment environment of the launches
 * @param alone whether only some ranks make the launches
 * @param own operation of the launches
 * @param late creates the exception for a join that has waited in vain
 */
record EndOfLaunches(ExecutionEnvironment environment, boolean alone, RecordedOperation own, Lateness late) {
    /** Creates the exception that a join throws. */
    @FunctionalInterface
    interface Lateness {
        /**
         * Returns the reason why launches have not ended.
         *
         * @param nanos how long this rank has waited for them
         * @param vain the wait that cannot succeed, if that is known
         */
        MsccljException exception(long nanos, ClosedRanks.@Nullable Vain vain);
    }

    private static final System.Logger LOGGER = System.getLogger(EndOfLaunches.class.getName());

    /**
     * After failing for this long, a wait has failed for good: a shorter failure may come from a capture of another
     * thread. The communicator is then aborted. If the wait fails for this long again, there is no device any more that
     * could use the memory.
     */
    private static final long MAX_FAILING_NANOS = 500_000_000;

    private static final long PAUSE_NANOS = 1_000_000;

    /**
     * Waits for the end of the launches. Throws nothing; sets the interrupt status again if the thread was interrupted.
     *
     * @param within waits for at most the given nanoseconds, or until an interrupt, and returns whether all launches
     *     have ended; throws errors of the device
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
                if (now - failingSince >= 2 * MAX_FAILING_NANOS) {
                    LOGGER.log(Level.WARNING, "memory is freed of launches whose device has failed", e);
                    break;
                }
                if (now - failingSince >= MAX_FAILING_NANOS) {
                    environment.abort().fail("closed while in flight, and it cannot be seen whether that ends: " + e);
                }
                Backoff.nap(PAUSE_NANOS);
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
