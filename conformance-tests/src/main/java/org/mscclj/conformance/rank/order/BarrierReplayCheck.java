package org.mscclj.conformance.rank.order;

import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks replays of barriers of streams, repeatedly and between other launches. One rank after the other replays last:
 * the barriers of the other ranks do not end before.
 */
final class BarrierReplayCheck implements RankCheck {
    private static final int TIMES_LAST = 2;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        try (Stream stream = communicator.device().createStream();
                Event ended = communicator.device().createEvent();
                PreparedOperation barrier = communicator.prepare(BarrierCall.STREAMS);
                Graph graph = stream.capture(() -> barrier.launch(stream))) {
            context.meetBeforeReplays();
            graph.launch(stream); // what its first launch sets up waits for no rank
            context.synchronize(stream);
            for (int round = 0; round < TIMES_LAST * communicator.size(); round++) {
                int last = round % communicator.size();
                boolean waits = context.rank() != last;
                if (waits) {
                    replay(graph, stream, ended);
                }
                communicator.barrier(); // a barrier of threads: the last rank passes it before it replays
                if (waits && Pause.until(ended::isReached, BarrierCheck.WATCHED)) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "replay " + (round + 1) + " of a barrier of streams has ended before rank " + last
                                    + " has replayed it");
                }
                communicator.barrier();
                if (!waits) {
                    replay(graph, stream, ended);
                }
                context.synchronize(stream);
                context.join(communicator.execute(BarrierCall.STREAMS));
            }
        }
    }

    private static void replay(Graph graph, Stream stream, Event ended) {
        graph.launch(stream);
        stream.record(ended);
    }
}
