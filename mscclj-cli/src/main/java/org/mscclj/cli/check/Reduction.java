package org.mscclj.cli.check;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The reduction of one element over all ranks, by definition: {@link #start}, {@link #add} for each rank, {@link #finish}. */
abstract sealed class Reduction permits IntegerReduction, FloatReduction {

    static Reduction of(DataType type, ReduceOp op, int ranks) {
        return type.isFloat() ? new FloatReduction(type, op, ranks) : new IntegerReduction(type, op, ranks);
    }

    abstract void start();

    abstract void add(long bits);

    abstract void finish();

    /** Whether an element is a right result. */
    abstract boolean accepts(long bits);

    /** The right result, or the range of right results, in words. */
    abstract String expected();

    /** An element in words. */
    abstract String text(long bits);
}
