package org.mscclj.objects;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * The collective calls of one operation on one rank, which take as long together as the operation may. When its time is
 * over the communicator is aborted: some ranks may have made more of these calls than others by then, so that no
 * operation could follow.
 */
final class TimedCalls {
    private final Communicator communicator;
    private final ObjectOperation operation;
    private final Duration timeout;
    private final long end;

    /** The time begins. */
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
        within(left -> communicator.execute(call.timeout(left)).join());
    }

    /** As {@link Communicator#requireEqual(String, Supplier)}. */
    void requireEqual(String what, Supplier<String> words) {
        within(left -> communicator.requireEqual(what, words, left));
    }

    /** A call that waits no longer than it is told. */
    @FunctionalInterface
    private interface Call {
        void make(Duration left);
    }

    private void within(Call call) {
        Duration left = left();
        try {
            call.make(left);
        } catch (OperationTimeoutException e) {
            communicator.abort(operation + ": " + e.getMessage());
            throw e;
        }
    }

    private Duration left() {
        long left = end - System.nanoTime();
        if (left <= 0) {
            String late = operation + ": its time of " + DurationText.of(timeout) + " was over before rank "
                    + communicator.rank()
                    + " came to send or receive; make and encode objects faster, or raise the timeout by"
                    + " ObjectCollectives.timeout";
            communicator.abort(late);
            throw new OperationTimeoutException(late, List.of(communicator.rank()));
        }
        return Duration.ofNanos(left);
    }

    /** Longer than anybody waits, where it is longer than a long says. */
    private static long nanos(Duration timeout) {
        try {
            return Math.min(timeout.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException _) {
            return Long.MAX_VALUE / 2;
        }
    }
}
