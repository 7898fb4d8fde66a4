package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;

/** Rank after rank launches a barrier of streams when all others have: theirs have not ended until then. */
final class BarrierCheck implements RankCheck {
    /**
     * So long one must not end that has to wait: where it waits for nobody, a device has begun and ended it by then.
     */
    static final Duration WATCHED = Duration.ofMillis(5);

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        communicator.execute(BarrierCall.STREAMS).join(context.timeout()); // sets it up
        for (int last = 0; last < communicator.size(); last++) {
            boolean waits = context.rank() != last;
            List<Work> works = waits ? launch(communicator) : List.of();
            communicator.barrier(); // of threads: the last rank comes here before it launches
            if (communicator.size() > 1 && Pause.until(() -> works.stream().anyMatch(Work::isCompleted), WATCHED)) {
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
