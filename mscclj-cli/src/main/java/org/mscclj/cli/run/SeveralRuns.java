package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.cli.measure.ProgressLine;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.ranks.GroupOptions;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code mscclj run} of several plans, types or packet formats: in this process, or in processes that run the same
 * command.
 *
 * @param spec the specification of the command
 * @param group how the ranks run
 * @param json the option for JSON
 * @param choice the selection of runs for each plan
 */
record SeveralRuns(CommandSpec spec, GroupOptions group, JsonOption json, PlanSteps.Choice choice) {
    /** Runs all, and returns the exit code. */
    int run(List<Path> files) {
        PlanSteps steps = Usage.checked(spec, () -> PlanSteps.of(files, choice));
        if (steps.steps().isEmpty() && steps.refused().isEmpty()) {
            throw Usage.wrong(spec, "--ranks is " + choice.ranks() + ", and no given plan has this number");
        }
        if (group.mustLaunch() && !steps.steps().isEmpty()) {
            return launchSeveral(steps.ranks());
        }
        PlanSteps own = ofLaunchedRanks(steps);
        PrintWriter out = group.forFirst(spec.commandLine().getOut());
        PrintWriter notes = group.forFirst(spec.commandLine().getErr());
        StepReport report = new StepReport(
                json.table(out, notes),
                new ProgressLine(notes, ProgressLine.DEFAULT_DELAY),
                choice.backend(),
                choice.seed());
        report.begin(own);
        new SeveralPlans(group, own.steps(), choice.seed(), report).run();
        report.end();
        if (!group.includesFirst()) {
            return 0; // rank 0 reports for all
        }
        json.write(() -> Optional.of(report.json()), out);
        return report.isRight() ? 0 : 1;
    }

    private PlanSteps ofLaunchedRanks(PlanSteps steps) {
        if (group.launchedRanks().isEmpty()) {
            return steps;
        }
        int launched = group.launchedRanks().getAsInt();
        PlanSteps own = steps.ofRanks(launched);
        if (own.steps().isEmpty() && !steps.steps().isEmpty()) {
            throw Usage.wrong(
                    spec,
                    "the launcher started " + launched + " processes, but the plans have " + steps.ranks()
                            + " ranks; start one of these numbers");
        }
        return own;
    }

    /** Starts processes for each number of ranks. */
    private int launchSeveral(Set<Integer> numbers) {
        if (numbers.size() > 1 && json.isGiven()) {
            throw Usage.wrong(
                    spec,
                    "--json and --procs are given, and the plans have " + numbers
                            + " ranks, and each number has processes of its own; choose one number by --ranks");
        }
        return numbers.stream().mapToInt(group::launch).max().orElse(0);
    }
}
