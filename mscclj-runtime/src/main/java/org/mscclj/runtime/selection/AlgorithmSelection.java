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
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.NamedProgram;
import org.mscclj.language.selection.PlanNeeds;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Nodes;
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
    private static final String OWN_SIZE = "it has numbers of blocks and threads of its own; leave them 0";

    /** Why a native algorithm does not serve a call that it could serve. */
    static final String ONLY_BY_NAME = "it serves only calls that name it";

    private final Nodes nodes;
    private final Capabilities capabilities;
    private FollowedTuning tuning = FollowedTuning.NONE;
    private final int ranks;
    private final RegisteredAlgorithms registered;
    private final PlanRegistryImpl registry;
    private final FallbackCandidate fallback;

    private final ShippedSelection programs;

    public AlgorithmSelection(
            Nodes nodes,
            Capabilities capabilities,
            ProgramPreference preference,
            RegisteredAlgorithms registered,
            FallbackCandidate fallback) {
        this.nodes = nodes;
        this.capabilities = capabilities;
        this.ranks = nodes.ofRanks().size();
        this.registered = registered;
        this.registry = registered.plans();
        this.fallback = fallback;
        this.programs = new ShippedSelection(nodes, capabilities, preference);
    }

    /** Follows measured choices. Called before the first call, by all ranks alike. */
    public void follow(FollowedTuning followed) {
        tuning = followed;
        programs.follow(followed.table());
    }

    /** Prefers programs by a switch where they are faster. Called before {@link #follow}. */
    public void useSwitch() {
        programs.useSwitch();
    }

    /** Returns the measured choices that are followed. */
    FollowedTuning tuning() {
        return tuning;
    }

    /** Returns the sizes of messages from which another shipped program, or more blocks, may be selected, ascending. */
    public long[] thresholds() {
        return programs.thresholds();
    }

    /**
     * Returns a number that is equal for sizes of a call's class that have the same algorithm. Shipped programs are
     * selected by thresholds. Registered plans and native algorithms have limits of their own, and a selector may look
     * at the size in any way, so that each size is on its own then.
     */
    public long step(CallDescriptor shape) {
        return registered.mayServe(shape) || programs.nameNatives(shape.collective())
                ? shape.sliceBytes()
                : programs.step(shape);
    }

    /**
     * Returns the most bytes of a slice for which calls like a given one have the same shipped program, with the same
     * numbers of blocks and threads; for a registered plan, the bytes of the call's slice. Does not depend on what is
     * registered, in which ranks may differ.
     *
     * @param choice the algorithm of the given call
     */
    public long mostBytes(Choice.OfPlan choice, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        return !choice.shipped() || shape.sliceBytes() == 0
                ? shape.sliceBytes()
                : programs.mostBytes(choice, shape, registered, obstacles);
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
        CallConditions at = programs.conditions(shape, registered, obstacles);
        return shape.algorithm().isPresent() ? named(shape.algorithm().get(), shape, at) : best(shape, at);
    }

    private Choice named(String name, CallDescriptor shape, CallConditions at) {
        Optional<PlanHandle> handle = registry.get(name);
        if (handle.isPresent()) {
            Optional<String> refusal = refusal(handle.get(), shape, at);
            if (refusal.isPresent()) {
                throw unsupported(shape, List.of(name + ": " + refusal.get()));
            }
            return new Choice.OfPlan(name, (Plan) handle.get().plan());
        }
        Optional<NamedNative> own = registered.natives().find(name);
        if (own.isPresent()) {
            Optional<String> refusal = refusal(own.get(), shape, at);
            if (refusal.isPresent()) {
                throw unsupported(shape, List.of(name + ": " + refusal.get()));
            }
            return new Choice.OfNative(own.get().algorithm(), own.get().size());
        }
        Optional<NamedProgram> program = NamedProgram.find(name);
        if (program.isPresent()) {
            List<String> refusals = new ArrayList<>();
            return programs.named(program.get(), shape, at.context(), refusals)
                    .map(AlgorithmSelection::shipped)
                    .orElseThrow(() -> unsupported(shape, refusals));
        }
        if (fallback.isNamed(name)) {
            return namedFallback(name, shape);
        }
        String base = LaunchSize.base(name);
        if (registry.get(base).isPresent() || fallback.isNamed(base)) {
            throw unsupported(shape, List.of(name + ": " + OWN_SIZE));
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

    /** Returns why a plan or a fallback does not serve a call that names it with a size; empty if none does. */
    static Optional<String> sizeRefusal(String name, CallDescriptor shape) {
        return shape.algorithm()
                .filter(asked -> !asked.equals(name) && LaunchSize.base(asked).equals(name))
                .map(_ -> OWN_SIZE);
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
        return "this communicator's fallback is " + usable + ", and it has one only; name " + usable;
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

    private Choice best(CallDescriptor shape, CallConditions at) {
        if (isForced(shape)) {
            return fallbackOnly(shape);
        }
        List<String> refusals = new ArrayList<>();
        Optional<PlanHandle> handle =
                registry.find(callShape(shape, at.registered()), plan -> further(plan, shape, at), refusals);
        if (handle.isPresent()) {
            return new Choice.OfPlan(handle.get().id(), (Plan) handle.get().plan());
        }
        Optional<Choice> measured = measuredNative(shape, at, refusals);
        if (measured.isPresent()) {
            return measured.get();
        }
        for (NativeAlgorithm<?> own : registered.natives().registered()) {
            Optional<String> refusal =
                    refusal(new NamedNative(own, LaunchSize.CHOSEN), shape, at).or(() -> onlyByName(own));
            if (refusal.isEmpty()) {
                return new Choice.OfNative(own, LaunchSize.CHOSEN);
            }
            refusals.add(own.name() + ": " + refusal.get());
        }
        return programs.best(shape, at.context(), refusals)
                .map(AlgorithmSelection::shipped)
                .or(() -> fallback(shape, refusals))
                .orElseThrow(() -> unsupported(shape, refusals));
    }

    private Optional<Choice> measuredNative(CallDescriptor shape, CallConditions at, List<String> refusals) {
        Optional<MeasuredNative> measured = measuredNative(shape, at);
        measured.ifPresent(one -> one.refusal().ifPresent(reason -> refusals.add(one.name() + ": " + reason)));
        return measured.filter(one -> one.refusal().isEmpty())
                .flatMap(MeasuredNative::own)
                .map(named -> new Choice.OfNative(named.algorithm(), named.size()));
    }

    /** Returns the native algorithm that the measured choices have for a call; empty if they have none. */
    Optional<MeasuredNative> measuredNative(CallDescriptor shape, CallConditions at) {
        return programs.nativeRow(shape, at.context()).map(row -> {
            Optional<NamedNative> own = registered.natives().find(row.program()).map(named -> named.of(row.size()));
            return new MeasuredNative(
                    row.algorithm(),
                    own,
                    own.isEmpty()
                            ? Optional.of(MissingNatives.REFUSAL)
                            : own.flatMap(named -> refusal(named, shape, at)));
        });
    }

    /** Returns the reason why a native algorithm serves no call that does not name it; empty if it may. */
    Optional<String> onlyByName(NativeAlgorithm<?> algorithm) {
        return algorithm.onlyByName() ? Optional.of(ONLY_BY_NAME) : programs.noPlans();
    }

    private static Choice shipped(ProgramChoice choice) {
        return new Choice.OfPlan(
                choice.program().label(),
                SharedPlans.of(choice.program(), choice.spec()),
                true,
                choice.spec().blocks(),
                choice.spec().threads());
    }

    /**
     * Returns what selectors see of a call.
     *
     * @param registered whether both buffers are registered, at equal locations on all ranks
     */
    public CallShape callShape(CallDescriptor shape, boolean registered) {
        return new CallShape(
                shape.collective(),
                shape.type(),
                shape.op(),
                shape.root(),
                shape.inPlace(),
                registered,
                ranks,
                nodes.ranksPerNode(),
                shape.messageBytes(ranks));
    }

    /** Returns the reason why a registered plan cannot serve a call; empty if it can. */
    Optional<String> refusal(PlanHandle handle, CallDescriptor shape, CallConditions at) {
        return registry.refusal(handle, callShape(shape, at.registered())).or(() -> further(handle, shape, at));
    }

    private Optional<String> further(PlanHandle handle, CallDescriptor shape, CallConditions at) {
        if (shape.root() != 0) {
            return Optional.of("plans do not say which root they are for; registered ones serve root 0");
        }
        if (!(handle.plan() instanceof Plan plan)) {
            return Optional.of("it is no plan of this platform; load it by ExecutionPlan.load");
        }
        return programs.noPlans()
                .or(() -> OtherArguments.refusal(shape))
                .or(() -> NodeCheck.obstacle(plan, nodes)) // the reason names two ranks
                .or(() -> PlanNeeds.of(plan, nodes.ofRanks()).missing(at.context()));
    }

    /** Returns the reason why a native algorithm cannot serve a call; empty if it can. */
    Optional<String> refusal(NamedNative named, CallDescriptor shape, CallConditions at) {
        NativeAlgorithm<?> algorithm = named.algorithm();
        if (algorithm.collective() != shape.collective()) {
            return Optional.of("it computes " + algorithm.collective());
        }
        if (shape.role() != Role.ITSELF) {
            return Optional.of("it serves calls of the application, and neither barriers nor parts of others");
        }
        if (!capabilities.features().contains(Feature.DEVICE_CHANNELS)) {
            return Optional.of("streams of this backend take no work of applications (DEVICE_CHANNELS)");
        }
        return algorithm
                .refusal(callShape(shape, at.registered()))
                .or(() -> algorithm.allowedArguments().refusal(named.size(), shape.arguments()));
    }

    ShippedSelection programs() {
        return programs;
    }

    RegisteredAlgorithms registered() {
        return registered;
    }

    FallbackCandidate fallback() {
        return fallback;
    }

    private UnsupportedException unsupported(CallDescriptor shape, List<String> refusals) {
        return new UnsupportedException(
                "no algorithm serves " + shape + ", on " + ranks + " ranks; " + String.join("; ", refusals));
    }
}
