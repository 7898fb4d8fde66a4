package org.mscclj.cli.run;

import java.util.OptionalDouble;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.RankSession;

/**
 * The results of a call of a plan, equal on all ranks.
 *
 * @param result the measurement
 * @param verdict the findings
 */
record ShapeRun(RunResult result, LaunchFindings verdict) {
    /** Prepares the call. All ranks must call this. */
    static MeasuredCall prepare(RankSession session, RunSettings settings, CheckedCall shape) {
        return MeasuredCall.prepare(session, shape, PlanPart.operation(settings.plan(), shape, settings.packetType()));
    }

    /** Checks and times the call. All ranks must call this. */
    static ShapeRun of(MeasuredCall call, RunSettings settings, CheckedCall shape, long seed) {
        LaunchFindings verdict = call.check(seed);
        if (settings.replays() > 0 && verdict.isRight()) {
            verdict = checkReplays(call, settings.replays(), seed);
        }
        OptionalDouble micros = OptionalDouble.empty();
        int iterations = settings.iterations(shape);
        if (verdict.isRight() && iterations > 0) {
            call.fillWithZeros();
            call.warmUp(settings.warmUp());
            micros = OptionalDouble.of(call.time(1, iterations)[0] / iterations / 1e3);
            // Stale packets and counters show only after many launches.
            verdict = call.check(seed + 1);
        }
        return new ShapeRun(new RunResult(shape, micros, verdict.wrong()), verdict);
    }

    /** Checks replays of a graph between eager launches, each on different data. */
    private static LaunchFindings checkReplays(MeasuredCall call, int replays, long seed) {
        try (Batch graph = call.batch(LaunchMethod.GRAPH, 1)) {
            LaunchFindings verdict = call.check(seed + 2, graph);
            for (int i = 1; i < replays && verdict.isRight(); i++) {
                LaunchFindings between = call.check(seed + 2L * i + 1);
                verdict = between.isRight() ? call.check(seed + 2L * i + 2, graph) : between;
            }
            return verdict.isRight() ? call.check(seed + 2L * replays + 1) : verdict;
        }
    }
}
