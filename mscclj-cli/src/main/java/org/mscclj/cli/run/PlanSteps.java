package org.mscclj.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.options.MessageSizes;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.cli.options.SizeOptions;
import org.mscclj.cli.run.StepResult.Outcome;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * The runs of all combinations of plans, types, packet formats and sizes.
 *
 * @param steps the valid runs
 * @param refused the rejected ones: bad plans, and calls that a plan does not allow
 */
record PlanSteps(List<PlanStep> steps, List<StepResult> refused) {
    /**
     * The selection of runs for each plan.
     *
     * @param ranks the accepted numbers of ranks of plans; empty for all
     * @param types element types
     * @param packets packet formats of plans that use packets
     * @param op the reduction of plans with one, if it is given
     * @param sizes the sizes
     * @param backend the backend's name
     * @param iterations timed launches of each size
     * @param replays number of checked replays of a graph
     * @param strict whether to reject a plan with a relaxed signal that must release
     * @param seed the seed of the inputs
     */
    record Choice(
            Set<Integer> ranks,
            List<DataType> types,
            List<PacketType> packets,
            Optional<ReduceOp> op,
            SizeOptions sizes,
            String backend,
            int iterations,
            int replays,
            boolean strict,
            long seed) {}

    static PlanSteps of(List<Path> files, Choice choice) {
        PlanSteps all = new PlanSteps(new ArrayList<>(), new ArrayList<>());
        files.forEach(file -> all.add(file, choice));
        return all;
    }

    private void add(Path file, Choice choice) {
        String name = PlanFiles.name(file);
        Plan plan;
        try {
            plan = PlanReader.read(file);
        } catch (MsccljException e) {
            refused.add(StepResult.of(name, Outcome.BAD_PLAN, String.valueOf(e.getMessage())));
            return;
        }
        if (!choice.ranks().isEmpty() && !choice.ranks().contains(plan.worldSize())) {
            return;
        }
        List<String> violations = choice.strict() ? StrictOrder.violations(plan) : List.of();
        if (!violations.isEmpty()) {
            refused.add(StepResult.of(name, Outcome.BAD_PLAN, violations.getFirst()));
            return;
        }
        for (DataType type : choice.types()) {
            try {
                add(file, plan, type, choice);
            } catch (InvalidArgumentException e) {
                refused.add(StepResult.of(name, Outcome.UNSUPPORTED, String.valueOf(e.getMessage())));
            }
        }
    }

    private void add(Path file, Plan plan, DataType type, Choice choice) {
        ReduceOp op =
                GivenReduceOp.of(plan, choice.op().filter(_ -> plan.collective().reduces()), type);
        List<CheckedCall> shapes = choice.sizes().fitting(new MessageSizes(plan, type)).stream()
                .map(size -> PlanShape.of(plan, size.count(), type, op))
                .toList();
        List<PacketType> packets =
                plan.usesPackets() ? choice.packets() : choice.packets().subList(0, 1);
        for (PacketType packet : packets) {
            RunSettings settings = new RunSettings(
                    plan,
                    packet,
                    shapes,
                    choice.backend(),
                    Optional.of(choice.iterations()),
                    choice.replays(),
                    choice.seed());
            shapes.forEach(shape -> steps.add(new PlanStep(file, settings, shape)));
        }
    }

    /** Returns the numbers of ranks, in ascending order. */
    Set<Integer> ranks() {
        Set<Integer> ranks = new TreeSet<>();
        steps.forEach(step -> ranks.add(step.plan().worldSize()));
        return ranks;
    }

    /** Returns the runs with this number of ranks. */
    PlanSteps ofRanks(int ranks) {
        return new PlanSteps(
                steps.stream().filter(step -> step.plan().worldSize() == ranks).toList(), refused);
    }
}
