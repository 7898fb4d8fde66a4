package org.mscclj.conformance.rank.late;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.DurationText;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.Opened;

/**
 * Checks a last rank that does not launch a graph which the others launch, or launches another graph. As after a late
 * launch, the calls of every rank name this rank within the limit.
 *
 * @param kind what the graph contains
 */
record LateReplayCheck(ReplayedKind kind) implements RankCheck {
    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        int away = context.test().world() - 1;
        if (away == 0) {
            context.report(FindingKind.NO_PART, "there is no rank to wait for");
            return;
        }
        Duration latest = LateLaunchCheck.latest(context);
        try (Opened opened = new Opened();
                Stream stream = communicator.device().createStream()) {
            Runnable launch = kind.prepare(context, stream, opened);
            Runnable other = kind.prepareOther(context, stream, opened).orElse(launch);
            try (Graph graph = stream.capture(launch)) {
                context.meetBeforeReplays();
                graph.launch(stream);
                context.synchronize(stream);
            }
            try (Graph graph = stream.capture(context.rank() == away ? other : launch)) {
                context.meetBeforeReplays();
                if (context.rank() != away || kind.isReplayedByAll()) {
                    graph.launch(stream);
                }
                if (!Pause.until(communicator::isAborted, latest)) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "no rank has ended the communicator within " + DurationText.of(latest));
                    communicator.abort("conformance: a late replay has not ended");
                    return;
                }
                LateLaunchCheck.requireNamed(context, "a later call", away, communicator::barrier);
            }
        }
    }
}
