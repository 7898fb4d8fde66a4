package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.scenario.CaseData;

/** The last rank does not launch a graph that the others launch: as with a launch that is late, every rank is told in time who it was. */
final class LateReplayCheck implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int away = context.test().world() - 1;
        if (away == 0) {
            context.report(FindingKind.NO_PART, "there is nobody to wait for");
            return;
        }
        Duration latest = LateLaunchCheck.latest(context);
        try (CaseBuffers buffers = CaseBuffers.allocate(communicator, context.test());
                Stream stream = communicator.device().createStream();
                PreparedOperation operation =
                        communicator.prepare(RankContext.call(context.test(), buffers.input(), buffers.output()));
                Graph graph = stream.capture(() -> operation.launch(stream))) {
            buffers.fill(new CaseData(context.test()));
            graph.launch(stream);
            context.synchronize(stream);
            communicator.barrier();
            if (context.rank() != away) {
                graph.launch(stream);
            }
            if (!Pause.until(communicator::isAborted, latest)) {
                context.report(FindingKind.BEHAVIOUR, "no rank has ended the communicator within " + latest);
                communicator.abort("conformance: nobody has ended a replay that is late");
                return;
            }
            LateLaunchCheck.requireNamed(context, "a later call", away, communicator::barrier);
        }
    }
}
