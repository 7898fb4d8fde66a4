package org.mscclj.plan;

import java.util.OptionalInt;

/**
 * The position of an operation in a plan. All positions count from 0.
 *
 * @param rank the rank
 * @param block the thread block
 * @param position position in the block's list of operations
 * @param inner position in the pipeline at {@code position}; empty if the operation is not inside one
 */
public record OperationAddress(int rank, int block, int position, OptionalInt inner) {
    /** The address of an operation outside of pipelines. */
    public static OperationAddress of(int rank, int block, int position) {
        return new OperationAddress(rank, block, position, OptionalInt.empty());
    }

    /** The address of an operation inside the pipeline at {@code position}. */
    public static OperationAddress inPipeline(int rank, int block, int position, int inner) {
        return new OperationAddress(rank, block, position, OptionalInt.of(inner));
    }

    @Override
    public String toString() {
        String outer = "rank " + rank + ", block " + block + ", op " + position;
        return inner.isPresent() ? outer + ", inner op " + inner.getAsInt() : outer;
    }
}
