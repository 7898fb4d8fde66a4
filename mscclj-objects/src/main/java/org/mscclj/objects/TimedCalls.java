package org.mscclj.objects;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * The collective calls of one operation on one rank, with a common timeout. When it expires, the communicator is
 * aborted: some ranks may have made more of these calls than others, so no operation could follow.
 */
final class TimedCalls {
    private final Communicator communicator;
    private final ObjectOperation operation;
    private final Duration timeout;
    private final long end;

    /** Starts the timeout. */
    TimedCalls(Communicator communicator, ObjectOperation operation, Duration timeout) {
        this.communicator = communicator;
        this.operation = operation;
        this.timeout = timeout;
        this.end = System.nanoTime() + nanos(timeout);
    }

    ObjectOperation operation() {
        return operation;
    }

    /** Launches a collective, and waits for it. */
    void run(CollectiveCall call) {
        within(remaining -> communicator.execute(call.timeout(remaining)).join());
    }

    /** Lets each rank do something, which fails on all if it fails on one. */
    void together(String what, Runnable step) {
        within(remaining -> communicator.requireEqual(
                what,
                () -> {
                    step.run();
                    return new byte[0];
                },
                _ -> what,
                remaining));
    }

    /** A call with a timeout. */
    @FunctionalInterface
    private interface Call {
        void make(Duration remaining);
    }

    private void within(Call call) {
        Duration remaining = remaining();
        try {
            call.make(remaining);
        } catch (OperationTimeoutException e) {
            communicator.abort(operation + ": " + e.getMessage());
            throw e;
        }
    }

    private Duration remaining() {
        long remaining = end - System.nanoTime();
        if (remaining <= 0) {
            String late = operation + ": its timeout of " + DurationText.of(timeout) + " expired before rank "
                    + communicator.rank()
                    + " sent or received objects; create and encode them faster, or raise the timeout by"
                    + " ObjectCollectives.timeout";
            communicator.abort(late);
            throw new OperationTimeoutException(late, List.of(communicator.rank()));
        }
        return Duration.ofNanos(remaining);
    }

    /** Caps durations beyond the range of a long, which is longer than any wait. */
    private static long nanos(Duration timeout) {
        try {
            return Math.min(timeout.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException _) {
            return Long.MAX_VALUE / 2;
        }
    }
}
