package org.mscclj.cli.run;

import java.util.List;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.PacketType;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.plan.Plan;

/**
 * Runs all sizes of a plan on one rank, checked and timed. After a wrong result, which is reported, the next size runs;
 * any other failure ends the ranks.
 *
 * @param settings the settings
 * @param report receives the results on rank 0
 */
record PlanPart(RunSettings settings, RunReport report) implements RankPart {
    @Override
    public void run(RankSession session) {
        long seed = session.allGather(settings.seed()).getFirst()[0];
        if (session.rank() == 0) {
            report.begin(new RunHeader(
                    settings.plan(),
                    settings.packetType(),
                    settings.shapes().getFirst(),
                    settings.backend(),
                    session.communicator().ranksPerNode(),
                    seed));
        }
        List<CheckedCall> shapes = settings.shapes();
        for (int i = 0; i < shapes.size(); i++) {
            if (session.rank() == 0) {
                report.measuring(i + 1, shapes.size(), shapes.get(i));
            }
            run(session, shapes.get(i), seed);
        }
    }

    private void run(RankSession session, CheckedCall shape, long seed) {
        try (MeasuredCall call = ShapeRun.prepare(session, settings, shape)) {
            ShapeRun run = ShapeRun.of(call, settings, shape, seed);
            if (session.rank() == 0) {
                report.add(run.result(), run.verdict());
            }
        }
    }

    /** Prepares a plan for a call. */
    static OperationSource operation(Plan plan, CheckedCall shape, PacketType packetType) {
        return (communicator, input, output) ->
                communicator.prepare(new PlanCall(plan, input, output, shape.type(), shape.op(), packetType));
    }
}
