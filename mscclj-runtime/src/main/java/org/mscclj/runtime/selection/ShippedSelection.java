package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.NamedProgram;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.language.selection.SelectionContext;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.plan.preference.SwitchReductions;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.SumForm;

/** Selects a shipped program, with its numbers of blocks and threads, for a call of a communicator. */
final class ShippedSelection {
    private final Nodes nodes;
    private final Capabilities capabilities;
    private final int ranks;
    private ProgramPreference preference;

    /** The preference for calls that a switch reduces, if there is one. */
    private ProgramPreference switched;

    /** The sizes of messages from which another program, or more blocks, may be selected, ascending. */
    private long[] thresholds;

    /** The collectives of which a measured choice is a native algorithm. */
    private Set<Collective> natives = Set.of();

    ShippedSelection(Nodes nodes, Capabilities capabilities, ProgramPreference preference) {
        this.nodes = nodes;
        this.capabilities = capabilities;
        this.ranks = nodes.ofRanks().size();
        this.preference = preference;
        this.switched = preference;
        this.thresholds = steps();
    }

    private long[] steps() {
        return Stream.of(preference, switched)
                .distinct()
                .flatMap(one -> new ProgramRanking(one).steps(ranks).stream())
                .mapToLong(Long::longValue)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Follows measured choices. Called before the first call, by all ranks alike. */
    void follow(SelectionTable table) {
        preference = preference.with(withoutSwitch(table));
        switched = switched.with(table);
        thresholds = steps();
        natives = table.rows().stream()
                .filter(ProgramChoice::isNative)
                .map(SelectionRow::collective)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What is measured with a reduction by a switch is not for calls that no switch reduces. */
    private static SelectionTable withoutSwitch(SelectionTable table) {
        return new SelectionTable(table.rows().stream()
                .map(row -> ProgramChoice.usesSwitch(row) ? row.withDefault() : row)
                .toList());
    }

    /** Prefers programs by a switch where they are faster. Called before the first call, by all ranks alike. */
    void useSwitch() {
        switched = preference.withSwitch();
        thresholds = steps();
    }

    /** Returns whether a measured choice of a collective, of some size, is a native algorithm. */
    boolean nameNatives(Collective collective) {
        return natives.contains(collective);
    }

    /** Returns the measured choice for a call if it is a native algorithm. */
    Optional<SelectionRow> nativeRow(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.nativeRow(spec(shape), shape.messageBytes(ranks), context);
    }

    /** Returns the sizes of messages from which another program, or more blocks, may be selected, ascending. */
    long[] thresholds() {
        return thresholds.clone();
    }

    /** Returns a number that is equal for sizes of a call's class that have the same program. */
    long step(CallDescriptor shape) {
        long bytes = shape.messageBytes(ranks);
        int step = 0;
        while (step < thresholds.length && bytes >= thresholds[step]) {
            step++;
        }
        return step;
    }

    /** See {@link AlgorithmSelection#mostBytes}; the choice is a shipped program. */
    long mostBytes(Choice.OfPlan choice, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        SelectionContext context = conditions(shape, registered, obstacles).context();
        long bytes = shape.messageBytes(ranks);
        for (long threshold : thresholds) {
            if (threshold > bytes && !isSame(choice, shape, threshold, context)) {
                return (threshold - 1) / shape.slices(ranks);
            }
        }
        return Long.MAX_VALUE;
    }

    private boolean isSame(Choice.OfPlan choice, CallDescriptor shape, long messageBytes, SelectionContext context) {
        List<String> refusals = new ArrayList<>();
        Optional<NamedProgram> named = shape.algorithm().flatMap(NamedProgram::find);
        Optional<ProgramChoice> other = named.isPresent()
                ? named.get().choice(spec(shape), messageBytes, context, refusals)
                : ProgramChoice.best(spec(shape), messageBytes, context, refusals);
        // without a plan, which takes long to make for many ranks
        return other.filter(same -> same.program().label().equals(choice.algorithm())
                        && same.spec().blocks() == choice.blocks()
                        && same.spec().threads() == choice.threads())
                .isPresent();
    }

    /** Returns the conditions of a call. */
    CallConditions conditions(CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        return new CallConditions(
                registered,
                new SelectionContext(
                        registered || SumForm.isFor(shape.op().kind(), ranks),
                        capabilities.features().contains(Feature.MULTICAST),
                        obstacles,
                        unequalNodes(),
                        SwitchReductions.include(shape.type(), shape.op().kind()) ? switched : preference));
    }

    private Optional<String> unequalNodes() {
        return nodes.equalBlocks().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "it needs equally many ranks on each node, and in order; they are on nodes " + nodes.ofRanks());
    }

    private ProgramSpec spec(CallDescriptor shape) {
        int ranksPerNode = nodes.equalBlocks().orElse(ranks);
        return new ProgramSpec(shape.collective(), ranks, ranksPerNode, shape.root(), shape.inPlace(), 1);
    }

    /** Returns why the backend runs neither plans nor shipped programs; empty if it does. */
    Optional<String> noPlans() {
        return capabilities.features().contains(Feature.PLANS) ? Optional.empty() : Optional.of(PlanExecutor.NO_PLANS);
    }

    private boolean serve(String name, CallDescriptor shape, List<String> refusals) {
        Optional<String> refusal = noPlans().or(() -> OtherArguments.refusal(shape));
        refusal.ifPresent(reason -> refusals.add(name + ": " + reason));
        return refusal.isEmpty();
    }

    /**
     * Returns the program that a call names; empty if it cannot serve the call.
     *
     * @param refusals receives the reason then
     */
    Optional<ProgramChoice> named(
            NamedProgram program, CallDescriptor shape, SelectionContext context, List<String> refusals) {
        return serve(shape.algorithm().orElseThrow(), shape, refusals)
                ? program.choice(spec(shape), shape.messageBytes(ranks), context, refusals)
                : Optional.empty();
    }

    /**
     * Returns a program for a call; empty if it cannot serve the call.
     *
     * @param refusals receives the reason then
     */
    Optional<ProgramChoice> choice(
            ShippedProgram program, CallDescriptor shape, SelectionContext context, List<String> refusals) {
        return serve(program.label(), shape, refusals)
                ? ProgramChoice.named(program, spec(shape), shape.messageBytes(ranks), context, refusals)
                : Optional.empty();
    }

    /**
     * Returns the best program for a call; empty if none can serve the call.
     *
     * @param refusals receives the reasons of those that cannot
     */
    Optional<ProgramChoice> best(CallDescriptor shape, SelectionContext context, List<String> refusals) {
        return serve("shipped programs", shape, refusals)
                ? ProgramChoice.best(spec(shape), shape.messageBytes(ranks), context, refusals)
                : Optional.empty();
    }

    /** Returns the program of the measured choices for a call; empty if they have none. */
    Optional<ShippedProgram> measured(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.measured(spec(shape), shape.messageBytes(ranks), context);
    }

    /** Returns why the program of the measured choices does not serve a call; empty if it does, or there is none. */
    Optional<String> measuredRefusal(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.measuredRefusal(spec(shape), shape.messageBytes(ranks), context);
    }

    /** Returns the programs for a call, best first. */
    List<ShippedProgram> ranked(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.order(spec(shape), shape.messageBytes(ranks), context);
    }
}
