package org.mscclj.conformance.rank;

import java.util.List;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;

/** Rank after rank launches a barrier of streams when all others have: theirs have not ended until then. */
final class BarrierCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        communicator.execute(BarrierCall.STREAMS).join(context.timeout()); // sets it up
        for (int last = 0; last < communicator.size(); last++) {
            boolean waits = context.rank() != last;
            List<Work> works = waits ? launch(communicator) : List.of();
            communicator.barrier(); // of threads: the last rank comes here before it launches
            if (communicator.size() > 1 && works.stream().anyMatch(Work::isCompleted)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "a barrier of streams has ended before rank " + last + " has launched it");
            }
            communicator.barrier();
            for (Work work : waits ? works : launch(communicator)) {
                work.join(context.timeout());
            }
        }
    }

    private static List<Work> launch(Communicator communicator) {
        return List.of(communicator.execute(BarrierCall.STREAMS), communicator.execute(BarrierCall.STREAMS));
    }
}
