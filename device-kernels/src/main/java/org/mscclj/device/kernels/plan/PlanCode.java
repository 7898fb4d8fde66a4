package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * A plan as code: the steps of every block, and the block shapes, each of which is one function. Blocks that differ in
 * numbers only share a shape; a whole plan has few shapes.
 */
public final class PlanCode {
    private final Plan plan;
    private final List<List<List<KernelStep>>> steps = new ArrayList<>();
    private final List<List<Integer>> shapes = new ArrayList<>();
    private List<String> bodies = List.of();

    private final Optional<ToIntFunction<String>> tracing;

    private Optional<FusedCode> fused = Optional.empty();

    private PlanCode(Plan plan, Optional<ToIntFunction<String>> tracing) {
        this.plan = plan;
        this.tracing = tracing;
    }

    /**
     * Translates a plan.
     *
     * @throws org.mscclj.api.error.UnsupportedException if kernels do not support an operation; the message names it
     */
    public static PlanCode of(Plan plan) {
        return of(plan, Optional.empty());
    }

    /**
     * Translates a plan.
     *
     * @param tracing returns the number, below 2^16, of an operation with a name if blocks trace their operations
     * @throws org.mscclj.api.error.UnsupportedException if kernels do not support an operation; the message names it
     */
    public static PlanCode of(Plan plan, Optional<ToIntFunction<String>> tracing) {
        PlanCode code = new PlanCode(plan, tracing);
        Set<OperationAddress> raised = new HashSet<>(RelaxedSignals.needingRelease(plan));
        List<List<String>> bodies = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            bodies.add(code.add(rank, raised));
        }
        code.number(bodies);
        if (plan.protocol() == Protocol.LL128 || (plan.usesPackets() && tracing.isEmpty())) {
            code.fused = FusedCode.of(plan);
        }
        return code;
    }

    /** The code of each block of the rank. */
    private List<String> add(RankPlan rank, Set<OperationAddress> raised) {
        List<List<KernelStep>> stepsOfRank = rank.threadBlocks().stream()
                .map(block -> List.copyOf(BlockSteps.of(plan, rank, block, raised, tracing)))
                .toList();
        steps.add(stepsOfRank);
        return stepsOfRank.stream()
                .map(block -> StepLines.of(block, TableOffset.START, "    "))
                .toList();
    }

    /**
     * Sorted by text, so that plans with the same shapes on different ranks, such as those with different roots, have
     * the same kernel.
     */
    private void number(List<List<String>> bodiesOfRanks) {
        bodies =
                bodiesOfRanks.stream().flatMap(List::stream).distinct().sorted().toList();
        Map<String, Integer> shapeOfBody = new HashMap<>();
        bodies.forEach(body -> shapeOfBody.put(body, shapeOfBody.size()));
        for (List<String> ofRank : bodiesOfRanks) {
            shapes.add(ofRank.stream()
                    .map(body -> Objects.requireNonNull(shapeOfBody.get(body)))
                    .toList());
        }
    }

    /** The plan. */
    public Plan plan() {
        return plan;
    }

    /** The steps of each block of a rank. */
    List<List<KernelStep>> steps(int rank) {
        return steps.get(rank);
    }

    /** The shape of each block of a rank. */
    List<Integer> shapes(int rank) {
        return shapes.get(rank);
    }

    /** The bodies of the functions, by shape. */
    List<String> bodies() {
        return bodies;
    }

    /**
     * The plan with fused steps, which trace nothing; empty if they cannot be fused. Of a plan whose blocks trace their
     * operations, only packets in lines are fused, because all ranks must agree on lines.
     */
    public Optional<FusedCode> fused() {
        return fused;
    }

    /** Whether any operation reduces. If not, the code depends on the size of an element only, not on its type. */
    public boolean combines() {
        return steps.stream().flatMap(List::stream).anyMatch(block -> anyData(block, PlanCode::combines));
    }

    private static boolean combines(KernelStep.Data data) {
        return data.move().plainSources().size() + data.move().packetSources().size() > 1;
    }

    private static boolean anyData(List<KernelStep> block, Predicate<KernelStep.Data> condition) {
        return block.stream().anyMatch(step -> anyData(step, condition));
    }

    private static boolean anyData(KernelStep step, Predicate<KernelStep.Data> condition) {
        return switch (step) {
            case KernelStep.Data data -> condition.test(data);
            case KernelStep.Pipeline pipeline -> anyData(pipeline.steps(), condition);
            case KernelStep.Traced traced -> anyData(List.of(traced.step()), condition);
            default -> false;
        };
    }

    /** Whether blocks use switch channels. */
    boolean usesSwitches() {
        return steps.stream()
                .flatMap(List::stream)
                .anyMatch(block -> anyData(block, data -> !data.groups().isEmpty()));
    }

    /** Whether any operation reduces by a switch. */
    public boolean reducesBySwitch() {
        return steps.stream()
                .flatMap(List::stream)
                .anyMatch(block -> anyData(block, KernelStep.Data::isReducedBySwitch));
    }

    /** Whether blocks trace their operations. */
    boolean isTraced() {
        return tracing.isPresent();
    }

    /** Number of distinct block shapes. */
    public int shapeCount() {
        return bodies.size();
    }
}
