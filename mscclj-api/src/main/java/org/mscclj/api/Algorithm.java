package org.mscclj.api;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

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
    private static final char BLOCKS = '@';

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
     *
     * @throws UnsupportedException if the communicator has no such algorithm for the call, or if it cannot follow a
     *     number of blocks or threads, an extra parameter or an accumulation type
     * @throws InvalidArgumentException if the call is not well formed
     */
    public Work execute(AlgorithmCall call) {
        Objects.requireNonNull(call, "call");
        requireNothingElse(call);
        CollectiveCall collectiveCall = new CollectiveCall(
                collective,
                call.input(),
                call.output(),
                call.type(),
                call.op(),
                call.root(),
                Optional.of(call.blocks() == 0 ? target : target + BLOCKS + call.blocks()));
        return call.stream().isPresent()
                ? call.communicator().execute(collectiveCall, call.stream().get())
                : call.communicator().execute(collectiveCall);
    }

    private void requireNothingElse(AlgorithmCall call) {
        if (call.threadsPerBlock() != 0) {
            throw new UnsupportedException(this + ": " + call.threadsPerBlock()
                    + " threads per block are asked for, and the engine chooses their number; leave it 0");
        }
        if (!call.extras().isEmpty()) {
            throw new UnsupportedException(this + ": extra parameters "
                    + call.extras().keySet() + " are given; a native algorithm has them as fields of its object");
        }
        DataType wider = call.type().isFloat() && call.type().byteSize() < Float.BYTES ? DataType.FLOAT32 : call.type();
        call.accumulationType()
                .filter(type -> type != call.type() && type != wider)
                .ifPresent(type -> {
                    throw new UnsupportedException(this + ": sums of " + call.type() + " are asked for in " + type
                            + ", and are formed in " + wider + "; leave the type out");
                });
    }

    @Override
    public String toString() {
        return collective + " algorithm " + name;
    }
}
