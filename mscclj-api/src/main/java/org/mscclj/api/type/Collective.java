package org.mscclj.api.type;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A collective, which a plan or an algorithm computes over {@code n} ranks. Buffers consist of <em>slices</em>: one
 * slice is the whole buffer, or one part per rank.
 */
public enum Collective {
    /** Every output is the reduction over all inputs. */
    ALLREDUCE("allreduce", false, false),
    /** Every output is all inputs in rank order. */
    ALLGATHER("allgather", false, true),
    /** Output {@code r} is slice {@code r} of the reduction over all inputs. */
    REDUCESCATTER("reducescatter", true, false),
    /** Slice {@code k} of output {@code r} is slice {@code r} of input {@code k}. */
    ALLTOALL("alltoall", true, true),
    /** Every output is the root's input. */
    BROADCAST("broadcast", false, false),
    /** The root's output is the reduction over all inputs. */
    REDUCE("reduce", false, false),
    /** Output {@code r} is slice {@code r} of the root's input. */
    SCATTER("scatter", true, false),
    /** The root's output is all inputs in rank order. */
    GATHER("gather", false, true),
    /** Each output is the input of exactly one other rank. */
    SENDRECV("sendrecv", false, false),
    /** A plan that only exercises operations; there is no result to compare. */
    TEST("test", false, false);

    private final String label;
    private final boolean slicedInput;
    private final boolean slicedOutput;

    Collective(String label, boolean slicedInput, boolean slicedOutput) {
        this.label = label;
        this.slicedInput = slicedInput;
        this.slicedOutput = slicedOutput;
    }

    /** The name used in execution plans, for example {@code allreduce}. */
    public String label() {
        return label;
    }

    /** The number of slices of an input of this collective on {@code ranks} ranks. */
    public int inputSlices(int ranks) {
        return slicedInput ? ranks : 1;
    }

    /** The number of slices of an output of this collective on {@code ranks} ranks. */
    public int outputSlices(int ranks) {
        return slicedOutput ? ranks : 1;
    }

    /** Whether one rank is the root, from which it starts or at which it ends. */
    public boolean hasRoot() {
        return this == BROADCAST || this == REDUCE || this == SCATTER || this == GATHER;
    }

    /** Whether it starts at the root, so that the inputs of other ranks are not read. */
    public boolean startsAtRoot() {
        return this == BROADCAST || this == SCATTER;
    }

    /** Whether contributions are combined by a {@link ReduceOp}. */
    public boolean reduces() {
        return this == ALLREDUCE || this == REDUCESCATTER || this == REDUCE;
    }

    /**
     * The collective of the given label.
     *
     * @throws InvalidArgumentException if there is none; the message lists the labels
     */
    public static Collective parse(String label) {
        for (Collective collective : values()) {
            if (collective.label.equals(label)) {
                return collective;
            }
        }
        throw InvalidArgumentException.of(
                "collective",
                '"' + label + '"',
                Arrays.stream(values()).map(Collective::label).collect(Collectors.joining(", ", "one of ", "")));
    }

    @Override
    public String toString() {
        return label;
    }
}
