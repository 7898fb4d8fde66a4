package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The reduction of one element over all ranks, by definition: {@link #start}, {@link #add} for each rank,
 * {@link #finish}.
 */
public abstract sealed class Reduction permits IntegerReduction, FloatReduction {
    Reduction() {}

    /** The reduction of a type and an operation over a number of ranks. */
    public static Reduction of(DataType type, ReduceOp op, int ranks) {
        return type.isFloat() ? new FloatReduction(type, op, ranks) : new IntegerReduction(type, op, ranks);
    }

    /** Begins a new element. */
    public abstract void start();

    /** Takes the contribution of the next rank. */
    public abstract void add(long bits);

    /** All ranks have contributed. */
    public abstract void finish();

    /** Whether an element is a right result. */
    public abstract boolean accepts(long bits);

    /** The right result, or the range of right results, in words. */
    public abstract String expected();

    /** An element in words. */
    public abstract String text(long bits);
}
