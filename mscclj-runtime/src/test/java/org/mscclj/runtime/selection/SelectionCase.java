package org.mscclj.runtime.selection;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.type.DataType;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.spi.Capabilities;

/**
 * A call, and all on which the choice of its algorithm depends.
 *
 * @param selector the user's selector; empty if the user sets none
 * @param defaultSelector the user's default selector, likewise
 * @param registered whether both buffers are registered, at equal locations on all ranks
 */
record SelectionCase(
        Nodes nodes,
        Capabilities capabilities,
        ProgramPreference preference,
        FollowedTuning tuning,
        List<RandomPlan> plans,
        Optional<RandomSelector> selector,
        Optional<RandomSelector> defaultSelector,
        List<RandomNative> natives,
        RandomLibrary library,
        CallDescriptor call,
        boolean registered,
        MappingObstacles obstacles) {
    /** Another rank has its own selection. */
    AlgorithmSelection selection() {
        PlanRegistryImpl registry = new PlanRegistryImpl();
        plans.forEach(plan -> registry.register(plan.plan(), plan.ranksPerNode(), plan.tags()));
        selector.ifPresent(registry::setSelector);
        defaultSelector.ifPresent(registry::setDefaultSelector);
        RegisteredAlgorithms algorithms = new RegisteredAlgorithms(registry);
        natives.forEach(algorithms.natives()::register);
        AlgorithmSelection selection = new AlgorithmSelection(nodes, capabilities, preference, algorithms, library);
        selection.follow(tuning);
        return selection;
    }

    /** Returns the call with the name of an algorithm. */
    CallDescriptor naming(String algorithm) {
        return new CallDescriptor(
                call.collective(),
                call.type(),
                call.op(),
                call.root(),
                call.sliceBytes(),
                call.inPlace(),
                Optional.of(algorithm),
                call.arguments(),
                call.role());
    }

    /** Returns the case with another size of slices. */
    SelectionCase resized(long sliceBytes) {
        CallDescriptor other = new CallDescriptor(
                call.collective(),
                call.type(),
                call.op(),
                call.root(),
                sliceBytes,
                call.inPlace(),
                call.algorithm(),
                call.arguments(),
                call.role());
        return new SelectionCase(
                nodes,
                capabilities,
                preference,
                tuning,
                plans,
                selector,
                defaultSelector,
                natives,
                library,
                other,
                registered,
                obstacles);
    }

    /** Returns the plan that the selectors choose of some, the user's first; a communicator has a default selector. */
    Optional<PlanHandle> selectors(List<PlanHandle> candidates) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        return selector.flatMap(first -> first.select(candidates, shape()))
                .or(() -> defaultSelector.orElse(RandomSelector.FIRST).select(candidates, shape()));
    }

    Choice choose(CallDescriptor descriptor) {
        return selection().choose(descriptor, registered, obstacles);
    }

    /** Returns the choice of a rank; empty if nothing serves the call. */
    Optional<Choice> chosen() {
        try {
            return Optional.of(choose(call));
        } catch (UnsupportedException _) {
            return Optional.empty();
        }
    }

    /** Returns whether the measured choices have an algorithm for the call, which serves it. */
    boolean isMeasured(NativeAlgorithm<?> algorithm) {
        AlgorithmSelection selection = selection();
        return selection
                .measuredNative(call, selection.programs().conditions(call, registered, obstacles))
                .filter(measured -> measured.serves(algorithm))
                .isPresent();
    }

    /**
     * Returns whether the call has no arguments that only native algorithms take. Plans, programs and fallbacks form
     * sums in the type that the SPEC states.
     */
    boolean takesNoNativeArguments() {
        DataType type = call.type();
        return call.arguments().extras().isEmpty()
                && call.arguments()
                        .accumulationType()
                        .filter(sums -> sums != type
                                && !(sums == DataType.FLOAT32 && type.isFloat() && type.byteSize() < Float.BYTES))
                        .isEmpty();
    }

    int ranks() {
        return nodes.ofRanks().size();
    }

    /** Returns what a native algorithm is asked. */
    CallShape shape() {
        return new CallShape(
                call.collective(),
                call.type(),
                call.op(),
                call.root(),
                call.inPlace(),
                registered,
                ranks(),
                nodes.ranksPerNode(),
                call.messageBytes(ranks()));
    }
}
