package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanRequest;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.NamedProgram;
import org.mscclj.language.selection.PlanNeeds;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.language.selection.SelectionContext;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.plan.NodeCheck;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * Selects an algorithm for a call: the one that the caller names, else the fallback if the user gives the collective to
 * it, else a registered plan that matches, else a native algorithm, else a shipped program, else the fallback. The
 * selection depends only on values that are equal on all ranks.
 */
public final class AlgorithmSelection {
    /** Why a native algorithm does not serve a call that it could serve. */
    static final String ONLY_BY_NAME = "it serves only calls that name it";

    private final Nodes nodes;
    private final Capabilities capabilities;
    private ProgramPreference preference;
    private FollowedTuning tuning = FollowedTuning.NONE;
    private final int ranks;
    private final RegisteredAlgorithms registered;
    private final PlanRegistryImpl registry;
    private final FallbackCandidate fallback;

    /** Why neither plans nor shipped programs serve a call; empty if the backend runs plans. */
    private final Optional<String> noPlans;

    /** The sizes of messages from which another shipped program, or more blocks, may be selected, ascending. */
    private long[] thresholds;

    public AlgorithmSelection(
            Nodes nodes,
            Capabilities capabilities,
            ProgramPreference preference,
            RegisteredAlgorithms registered,
            FallbackCandidate fallback) {
        this.nodes = nodes;
        this.capabilities = capabilities;
        this.preference = preference;
        this.ranks = nodes.ofRanks().size();
        this.registered = registered;
        this.registry = registered.plans();
        this.fallback = fallback;
        this.noPlans =
                capabilities.features().contains(Feature.PLANS) ? Optional.empty() : Optional.of(PlanExecutor.NO_PLANS);
        this.thresholds = thresholds(preference, ranks);
    }

    private static long[] thresholds(ProgramPreference preference, int ranks) {
        return new ProgramRanking(preference)
                .steps(ranks).stream().mapToLong(Long::longValue).toArray();
    }

    /** Follows measured choices. Called before the first call, by all ranks alike. */
    public void follow(FollowedTuning followed) {
        tuning = followed;
        preference = preference.withTable(followed.table());
        thresholds = thresholds(preference, ranks);
    }

    /** Returns the measured choices that are followed. */
    FollowedTuning tuning() {
        return tuning;
    }

    /** Returns the sizes of messages from which another shipped program, or more blocks, may be selected, ascending. */
    public long[] thresholds() {
        return thresholds.clone();
    }

    /**
     * Returns a number that is equal for sizes of a call's class that have the same algorithm. Shipped programs are
     * selected by thresholds. Registered plans and native algorithms have limits of their own, and a selector may look
     * at the size in any way, so that each size is on its own then.
     */
    public long step(CallDescriptor shape) {
        if (registered.mayServe(shape)) {
            return shape.sliceBytes();
        }
        long bytes = shape.messageBytes(ranks);
        int step = 0;
        while (step < thresholds.length && bytes >= thresholds[step]) {
            step++;
        }
        return step;
    }

    /**
     * Returns the most bytes of a slice for which calls like a given one have the same shipped program, with the same
     * numbers of blocks and threads; for a registered plan, the bytes of the call's slice. Does not depend on what is
     * registered, in which ranks may differ.
     *
     * @param choice the algorithm of the given call
     */
    public long mostBytes(Choice.OfPlan choice, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        if (!choice.shipped() || shape.sliceBytes() == 0) {
            return shape.sliceBytes();
        }
        SelectionContext context = context(registered, obstacles);
        long bytes = shape.messageBytes(ranks);
        for (long threshold : thresholds) {
            if (threshold > bytes && !isShipped(choice, shape, threshold, context)) {
                return (threshold - 1) / shape.slices(ranks);
            }
        }
        return Long.MAX_VALUE;
    }

    private boolean isShipped(Choice.OfPlan choice, CallDescriptor shape, long messageBytes, SelectionContext context) {
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

    /**
     * Selects an algorithm.
     *
     * @param registered whether both buffers are registered, at equal locations on all ranks
     * @param obstacles why ranks cannot map each other's memory
     * @throws UnsupportedException if no algorithm serves the call; names the reason for each refused candidate
     * @throws InvalidArgumentException if the caller names an algorithm that does not exist
     */
    public Choice choose(CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        SelectionContext context = context(registered, obstacles);
        return shape.algorithm().isPresent() ? named(shape.algorithm().get(), shape, context) : best(shape, context);
    }

    /** Returns the conditions of a call. */
    SelectionContext context(boolean registered, MappingObstacles obstacles) {
        return new SelectionContext(
                registered, capabilities.features().contains(Feature.MULTICAST), obstacles, unequalNodes(), preference);
    }

    private Choice named(String name, CallDescriptor shape, SelectionContext context) {
        Optional<PlanHandle> handle = registry.get(name);
        if (handle.isPresent()) {
            Optional<String> refusal = refusal(handle.get(), shape, context);
            if (refusal.isPresent()) {
                throw unsupported(shape, List.of(name + ": " + refusal.get()));
            }
            return new Choice.OfPlan(name, (Plan) handle.get().plan());
        }
        Optional<NamedNative> own = registered.natives().find(name);
        if (own.isPresent()) {
            Optional<String> refusal = refusal(own.get(), shape, context);
            if (refusal.isPresent()) {
                throw unsupported(shape, List.of(name + ": " + refusal.get()));
            }
            return new Choice.OfNative(own.get().algorithm(), own.get().size());
        }
        Optional<NamedProgram> program = NamedProgram.find(name);
        if (program.isPresent()) {
            List<String> refusals = new ArrayList<>();
            return program.filter(_ -> programsServe(name, shape, refusals))
                    .flatMap(known -> known.choice(spec(shape), shape.messageBytes(ranks), context, refusals))
                    .map(AlgorithmSelection::shipped)
                    .orElseThrow(() -> unsupported(shape, refusals));
        }
        if (fallback.isNamed(name)) {
            return namedFallback(name, shape);
        }
        String base = LaunchSize.base(name);
        if (registry.get(base).isPresent() || fallback.isNamed(base)) {
            throw unsupported(shape, List.of(name + ": it has numbers of blocks and threads of its own; leave them 0"));
        }
        throw InvalidArgumentException.of(
                "algorithm of " + shape.collective(),
                '"' + name + '"',
                Stream.concat(
                                Stream.of(ShippedProgram.values()).map(ShippedProgram::label),
                                Stream.concat(
                                        registry.plans().stream().map(PlanHandle::id),
                                        registered.natives().registered().stream()
                                                .map(NativeAlgorithm::name)))
                        .collect(Collectors.joining(
                                ", ",
                                "one of ",
                                "; a program with a number of blocks, as packets@8 or packets@8x512; a registered plan goes by its own"
                                        + " name, as a native algorithm and a fallback do")));
    }

    private Choice namedFallback(String name, CallDescriptor shape) {
        Optional<FallbackCandidate.Found> found = fallback.find(shape.forFallback());
        if (found.isPresent() && found.get().usable() && !found.get().name().equals(name)) {
            throw unsupported(
                    shape, List.of(name + ": " + otherFallback(found.get().name())));
        }
        return fallbackOnly(shape);
    }

    /** Says why a fallback cannot serve a call that names it, although a fallback can. */
    static String otherFallback(String usable) {
        return "this communicator's fallback is " + usable + ", and it has one only; name " + usable
                + ", or remove it from the module path";
    }

    private Choice fallbackOnly(CallDescriptor shape) {
        List<String> refusals = new ArrayList<>();
        return fallback(shape, refusals).orElseThrow(() -> {
            if (refusals.isEmpty()) {
                refusals.add("no fallback is installed that is for devices of this backend");
            }
            return unsupported(shape, refusals);
        });
    }

    /** Returns whether the user gives a call that names no algorithm to the fallback, whatever else could serve it. */
    boolean isForced(CallDescriptor shape) {
        return shape.algorithm().isEmpty() && shape.role() != Role.BARRIER && fallback.isForced(shape.collective());
    }

    /** Returns the fallback for a call; its refusal includes arguments that no fallback takes. */
    Optional<FallbackCandidate.Found> foundFallback(CallDescriptor shape) {
        return fallback.find(shape.forFallback())
                .map(one -> new FallbackCandidate.Found(
                        one.name(), one.usable(), one.refusal().or(() -> OtherArguments.refusal(shape))));
    }

    private Optional<Choice> fallback(CallDescriptor shape, List<String> refusals) {
        Optional<FallbackCandidate.Found> found = foundFallback(shape);
        found.flatMap(one -> one.refusal().map(reason -> one.name() + ": " + reason))
                .ifPresent(refusals::add);
        return found.filter(one -> one.refusal().isEmpty()).map(one -> new Choice.OfFallback(one.name()));
    }

    /**
     * Returns whether shipped programs can serve a call at all.
     *
     * @param name the program that is asked for, for messages
     * @param refusals receives the reason if they cannot
     */
    private boolean programsServe(String name, CallDescriptor shape, List<String> refusals) {
        Optional<String> refusal = noPlans.or(() -> OtherArguments.refusal(shape));
        refusal.ifPresent(reason -> refusals.add(name + ": " + reason));
        return refusal.isEmpty();
    }

    private Choice best(CallDescriptor shape, SelectionContext context) {
        if (isForced(shape)) {
            return fallbackOnly(shape);
        }
        List<String> refusals = new ArrayList<>();
        Optional<PlanHandle> handle = registry.find(request(shape), plan -> further(plan, shape, context), refusals);
        if (handle.isPresent()) {
            return new Choice.OfPlan(handle.get().id(), (Plan) handle.get().plan());
        }
        for (NativeAlgorithm<?> own : registered.natives().registered()) {
            Optional<String> refusal = shape.role() == Role.ITSELF
                    ? refusal(new NamedNative(own, LaunchSize.CHOSEN), shape, context)
                    : Optional.of("it serves calls of the application, and neither barriers nor parts of others");
            if (refusal.isEmpty() && !own.onlyByName()) {
                return new Choice.OfNative(own, LaunchSize.CHOSEN);
            }
            refusals.add(own.name() + ": " + refusal.orElse(ONLY_BY_NAME));
        }
        return Optional.of(spec(shape))
                .filter(_ -> programsServe("shipped programs", shape, refusals))
                .flatMap(spec -> ProgramChoice.best(spec, shape.messageBytes(ranks), context, refusals))
                .map(AlgorithmSelection::shipped)
                .or(() -> fallback(shape, refusals))
                .orElseThrow(() -> unsupported(shape, refusals));
    }

    private static Choice shipped(ProgramChoice choice) {
        return new Choice.OfPlan(
                choice.program().label(),
                SharedPlans.of(choice.program(), choice.spec()),
                true,
                choice.spec().blocks(),
                choice.spec().threads());
    }

    private PlanRequest request(CallDescriptor shape) {
        return new PlanRequest(
                shape.collective(),
                shape.op(),
                shape.type(),
                shape.messageBytes(ranks),
                ranks,
                nodes.ranksPerNode(),
                shape.inPlace());
    }

    /** Returns the reason why a registered plan cannot serve a call; empty if it can. */
    Optional<String> refusal(PlanHandle handle, CallDescriptor shape, SelectionContext context) {
        return registry.refusal(handle, request(shape)).or(() -> further(handle, shape, context));
    }

    private Optional<String> further(PlanHandle handle, CallDescriptor shape, SelectionContext context) {
        if (shape.root() != 0) {
            return Optional.of("plans do not say which root they are for; registered ones serve root 0");
        }
        if (noPlans.isPresent()) {
            return noPlans;
        }
        if (!(handle.plan() instanceof Plan plan)) {
            return Optional.of("it is no plan of this platform; load it by ExecutionPlan.load");
        }
        return OtherArguments.refusal(shape)
                .or(() -> NodeCheck.obstacle(plan, nodes)) // the reason names two ranks
                .or(() -> PlanNeeds.of(plan, nodes.ofRanks()).missing(context));
    }

    /** Returns the reason why a native algorithm cannot serve a call; empty if it can. */
    Optional<String> refusal(NamedNative named, CallDescriptor shape, SelectionContext context) {
        NativeAlgorithm<?> algorithm = named.algorithm();
        if (algorithm.collective() != shape.collective()) {
            return Optional.of("it computes " + algorithm.collective());
        }
        if (!capabilities.features().contains(Feature.DEVICE_CHANNELS)) {
            return Optional.of("streams of this backend take no work of applications (DEVICE_CHANNELS)");
        }
        return algorithm
                .refusal(new CallShape(
                        shape.collective(),
                        shape.type(),
                        shape.op(),
                        shape.root(),
                        shape.inPlace(),
                        context.registered(),
                        ranks,
                        shape.messageBytes(ranks)))
                .or(() -> algorithm.allowedArguments().refusal(named.size(), shape.arguments()));
    }

    /** Returns the program of the measured choices for a call; empty if they have none. */
    Optional<ShippedProgram> measured(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.measured(spec(shape), shape.messageBytes(ranks), context);
    }

    /** Returns the shipped programs for a call, best first. */
    List<ShippedProgram> ranked(CallDescriptor shape, SelectionContext context) {
        return ProgramChoice.order(spec(shape), shape.messageBytes(ranks), context);
    }

    /**
     * Returns a shipped program for a call; empty if it cannot serve the call.
     *
     * @param refusals receives the reason then
     */
    Optional<ProgramChoice> choice(
            ShippedProgram program, CallDescriptor shape, SelectionContext context, List<String> refusals) {
        return programsServe(program.label(), shape, refusals)
                ? ProgramChoice.named(program, spec(shape), shape.messageBytes(ranks), context, refusals)
                : Optional.empty();
    }

    RegisteredAlgorithms registered() {
        return registered;
    }

    FallbackCandidate fallback() {
        return fallback;
    }

    private ProgramSpec spec(CallDescriptor shape) {
        int ranksPerNode = nodes.equalBlocks().orElse(ranks);
        return new ProgramSpec(shape.collective(), ranks, ranksPerNode, shape.root(), shape.inPlace(), 1);
    }

    private Optional<String> unequalNodes() {
        return nodes.equalBlocks().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "it needs equally many ranks on each node, and in order; they are on nodes " + nodes.ofRanks());
    }

    private UnsupportedException unsupported(CallDescriptor shape, List<String> refusals) {
        return new UnsupportedException(
                "no algorithm serves " + shape + ", on " + ranks + " ranks; " + String.join("; ", refusals));
    }
}
