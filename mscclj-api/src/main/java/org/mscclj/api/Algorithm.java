package org.mscclj.api;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.type.Collective;

/**
 * An algorithm that an application picks itself, instead of leaving the choice to the communicator: a shipped program,
 * a registered plan, a native algorithm or a fallback, by its name in the communicator. Source of the idea: MSCCL++'s
 * {@code Algorithm} and its {@code execute}.
 *
 * @param name the name in an {@link AlgorithmCollection}
 * @param collective the collective
 * @param target the name by which a {@link CollectiveCall#algorithm call} names it
 */
public record Algorithm(String name, Collective collective, String target) {
    /** Checks that nothing is null. */
    public Algorithm {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(target, "target");
    }

    /** Returns the algorithm of a collective that has the same name in a communicator. */
    public static Algorithm named(Collective collective, String name) {
        return new Algorithm(name, collective, name);
    }

    /**
     * Executes a call by this algorithm. Collective the first time, as {@link Communicator#execute(CollectiveCall)} is.
     * The numbers of blocks and threads, the statement of symmetric memory, the accumulation type and the names of
     * extra parameters must be equal on all ranks.
     *
     * @throws UnsupportedException if the communicator has no such algorithm for the call, or if it does not take a
     *     number of blocks or threads, an extra parameter or an accumulation type; see
     *     {@link NativeAlgorithm#allowedArguments}
     * @throws InvalidArgumentException if the call is not well formed
     */
    public Work execute(AlgorithmCall call) {
        Objects.requireNonNull(call, "call");
        CollectiveCall collectiveCall = new CollectiveCall(
                collective,
                call.input(),
                call.output(),
                call.type(),
                call.op(),
                call.root(),
                Optional.of(target + new LaunchSize(call.blocks(), call.threadsPerBlock()).suffix()),
                call.arguments(),
                CallOptions.NONE);
        return call.stream().isPresent()
                ? call.communicator().execute(collectiveCall, call.stream().get())
                : call.communicator().execute(collectiveCall);
    }

    @Override
    public String toString() {
        return collective + " algorithm " + name;
    }
}
