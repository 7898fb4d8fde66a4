package org.mscclj.cli.run;

import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.cli.run.StepResult.Outcome;

/**
 * Performs the runs of one plan on one rank, starting with the first that was not tried yet.
 *
 * @param steps all runs, the same on all ranks
 * @param first the rank of this process that advances the cursor
 * @param cursor the position of this process
 * @param seed this rank's proposal for the seed of the inputs; all ranks use rank 0's
 * @param report receives the results on rank 0
 */
record StepPart(List<PlanStep> steps, int first, StepCursor cursor, long seed, StepReport report) implements RankPart {
    @Override
    public void run(RankSession session) {
        List<long[]> all = session.allGather(cursor.next(), seed);
        // Ranks in different processes may have seen the last failure in different runs: a run that one of them has not
        // completed is repeated.
        int begin = all.stream().mapToInt(numbers -> (int) numbers[0]).min().orElseThrow();
        Path plan = steps.get(begin).file();
        for (int i = begin; i < steps.size() && steps.get(i).file().equals(plan); i++) {
            if (session.rank() == first) {
                cursor.begin(i);
            }
            if (session.rank() == 0) {
                report.running(i + 1, steps.size(), steps.get(i));
            }
            StepResult result = run(session, steps.get(i), all.getFirst()[1]);
            if (session.rank() == 0) {
                report.add(result);
            }
        }
    }

    private static StepResult run(RankSession session, PlanStep step, long seed) {
        MeasuredCall call;
        try {
            call = ShapeRun.prepare(session, step.settings(), step.shape());
        } catch (UnsupportedException e) {
            return StepResult.of(step, Outcome.UNSUPPORTED, String.valueOf(e.getMessage()));
        }
        try (call) {
            return StepResult.ended(step, ShapeRun.of(call, step.settings(), step.shape(), seed));
        }
    }
}
