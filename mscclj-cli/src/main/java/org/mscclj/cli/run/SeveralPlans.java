package org.mscclj.cli.run;

import java.util.List;
import java.util.OptionalInt;
import org.mscclj.api.error.MsccljException;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.LaunchedRank;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.cli.run.StepResult.Outcome;

/**
 * Runs plans in sequence, each in a communicator of its own; after a failed run a new communicator is opened.
 *
 * @param group how the ranks run
 * @param steps the runs
 * @param seed the seed of the inputs
 * @param report receives the results
 */
record SeveralPlans(GroupOptions group, List<PlanStep> steps, long seed, StepReport report) {
    /** Runs all; returns early only if no communicator can be opened. */
    void run() {
        StepCursor cursor = new StepCursor();
        while (cursor.next() < steps.size()) {
            cursor.open();
            Ranks ranks = group.ranks(steps.get(cursor.next()).plan().worldSize(), "run");
            int first =
                    ranks instanceof LaunchedRank process ? process.options().rank() : 0;
            try {
                ranks.run(group.settings(), new StepPart(steps, first, cursor, seed, report));
            } catch (RuntimeException e) {
                OptionalInt interrupted = cursor.interrupted();
                if (interrupted.isEmpty()) {
                    report.stopped(steps.subList(cursor.next(), steps.size()), reason(e));
                    return;
                }
                report.add(StepResult.of(steps.get(interrupted.getAsInt()), Outcome.FAILED, reason(e)));
            }
        }
    }

    private static String reason(RuntimeException e) {
        return (e instanceof MsccljException ? String.valueOf(e.getMessage()) : "internal error: " + e)
                .replaceAll("\\s*\\R\\s*", "; ");
    }
}
