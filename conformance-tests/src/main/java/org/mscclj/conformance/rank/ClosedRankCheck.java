package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.RunningClock;

/** The last rank closes its communicator: whoever waits for it is told so at once, and the communicator is not aborted. */
final class ClosedRankCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (last == 0) {
            context.report(FindingKind.NO_PART, "there is nobody to wait for");
            return;
        }
        try (Communicator communicator = context.second()) {
            context.communicator().barrier(); // else others may still be opening it
            if (context.rank() == last) {
                closeWhileOthersCall(context, communicator);
            } else {
                List<Integer> all = IntStream.rangeClosed(0, last).boxed().toList();
                requireTold(context, "a barrier", last, communicator::barrier);
                requireTold(
                        context,
                        "a split",
                        last,
                        () -> communicator.split(all, "conformance-closed").ifPresent(Communicator::close));
                if (communicator.isAborted()) {
                    context.report(FindingKind.BEHAVIOUR, "a rank that has closed has aborted the communicator");
                }
                context.communicator().barrier(); // so that nobody else closes earlier
            }
        }
    }

    /** Where peers write through a transport, closing waits for them to close too. */
    private static void closeWhileOthersCall(RankContext context, Communicator communicator) {
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

    private static void requireTold(RankContext context, String what, int closed, Runnable call) {
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
