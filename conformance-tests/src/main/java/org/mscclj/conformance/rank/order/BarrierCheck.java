package org.mscclj.conformance.rank.order;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks barriers of streams. One rank after the other launches the barrier last: the barriers of the other ranks do
 * not end before.
 */
final class BarrierCheck implements RankCheck {
    /**
     * The time for which a barrier that has to wait must not end. A barrier that waits for no rank would have begun and
     * ended on any device by then.
     */
    static final Duration WATCHED = Duration.ofMillis(5);

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        communicator.execute(BarrierCall.STREAMS).join(context.timeout()); // sets up the barrier
        for (int last = 0; last < communicator.size(); last++) {
            boolean waits = context.rank() != last;
            List<Work> works = waits ? launch(communicator) : List.of();
            communicator.barrier(); // a barrier of threads: the last rank passes it before it launches
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
