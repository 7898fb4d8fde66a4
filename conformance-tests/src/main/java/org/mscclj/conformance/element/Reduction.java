package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Reduces one element over all ranks, by definition: {@link #start}, {@link #add} for each rank, {@link #finish}. */
public abstract sealed class Reduction permits IntegerReduction, FloatReduction {
    Reduction() {}

    /** Returns the reduction of a type and an operation over a number of ranks. */
    public static Reduction of(DataType type, ReduceOp op, int ranks) {
        return type.isFloat() ? new FloatReduction(type, op, ranks) : new IntegerReduction(type, op, ranks);
    }

    /** Begins a new element. */
    public abstract void start();

    /** Adds the contribution of the next rank. */
    public abstract void add(long bits);

    /** Completes the element; all ranks have contributed. */
    public abstract void finish();

    /** Returns whether an element is a correct result. */
    public abstract boolean accepts(long bits);

    /** Describes the correct result, or the range of correct results. */
    public abstract String expected();

    /** Describes an element. */
    public abstract String text(long bits);
}
