package org.mscclj.conformance.rank.loss;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Futures;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.RunningClock;

/** Closes a rank's communicator while other ranks wait for it, and checks what these ranks learn. */
final class ClosedRank {
    private ClosedRank() {}

    /**
     * Returns whether no other rank can wait for the rank that closes. If so, reports that this rank does not take
     * part.
     */
    static boolean isAlone(RankContext context) {
        boolean alone = context.test().world() == 1;
        if (alone) {
            context.report(FindingKind.NO_PART, "there is no other rank to wait for");
        }
        return alone;
    }

    /** A rank that closes must not end operations between the other ranks. */
    static void requireNotAborted(RankContext context, Communicator communicator) {
        if (communicator.isAborted()) {
            context.report(FindingKind.BEHAVIOUR, "a rank that has closed has aborted the communicator");
        }
    }

    /** Closes the communicator. Where peers write through a transport, closing waits for them to close too. */
    static void closeWhileOthersCall(RankContext context, Communicator communicator) {
        DaemonTask<Boolean> closing = DaemonTask.start("conformance-close", () -> {
            communicator.close();
            return true;
        });
        context.communicator().barrier();
        if (closing.endsWithin(context.timeout())) {
            closing.result();
        } else {
            context.report(FindingKind.HUNG, "closing did not end although all ranks close");
        }
    }

    static void requireTold(RankContext context, CompletableFuture<Void> future, int closed) {
        Throwable failure = Futures.failure(future, FaultLimit.of(context)).orElse(null);
        if (!(failure instanceof RankLostException lost) || lost.rank() != closed) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "rank " + closed + " has closed its communicator, but the future of what it has not launched gave "
                            + failure + "; right is RankLostException with that rank");
        }
    }

    static void requireTold(RankContext context, String what, int closed, Runnable call) {
        long start = RunningClock.nanoTime();
        try {
            call.run();
            context.report(
                    FindingKind.BEHAVIOUR,
                    what + " ended as if all were right although rank " + closed + " has closed its communicator");
        } catch (RankLostException e) {
            if (e.rank() != closed) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "rank " + closed + " has closed its communicator, but " + what + " names rank " + e.rank()
                                + ": " + e.getMessage());
            }
        }
        FaultLimit.require(
                context,
                "hearing in " + what + " that a rank has closed",
                Duration.ofNanos(RunningClock.nanoTime() - start));
    }
}
