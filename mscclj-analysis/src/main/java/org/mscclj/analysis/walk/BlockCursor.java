package org.mscclj.analysis.walk;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.ThreadBlock;

/** The position of a block in its operations, with pipelines unrolled. */
public final class BlockCursor {
    private final int rank;
    private final ThreadBlock block;
    private final ToLongFunction<Operation.Pipeline> iterations;
    private int position;
    private int inner;
    private long iteration;

    /**
     * Creates a cursor before the first operation.
     *
     * @param iterations number of iterations of a pipeline; must be constant
     */
    public BlockCursor(int rank, ThreadBlock block, ToLongFunction<Operation.Pipeline> iterations) {
        this.rank = rank;
        this.block = block;
        this.iterations = iterations;
    }

    /** The current operation, never a pipeline; null at the end. */
    public @Nullable Operation current() {
        List<Operation> operations = block.operations();
        while (position < operations.size()) {
            if (!(operations.get(position) instanceof Operation.Pipeline pipeline)) {
                return operations.get(position);
            }
            boolean empty = pipeline.operations().isEmpty();
            if (inner == pipeline.operations().size()) {
                inner = 0;
                iteration++;
            }
            if (!empty && iteration < iterations.applyAsLong(pipeline)) {
                return pipeline.operations().get(inner);
            }
            iteration = 0;
            position++;
        }
        return null;
    }

    /** Moves to the next operation. */
    public void advance() {
        if (pipeline() == null) {
            position++;
        } else {
            inner++;
        }
    }

    /** Moves back to the first operation. */
    public void restart() {
        position = 0;
        inner = 0;
        iteration = 0;
    }

    /** The pipeline of the current operation; null if it is in none. */
    public Operation.@Nullable Pipeline pipeline() {
        return block.operations().get(position) instanceof Operation.Pipeline pipeline ? pipeline : null;
    }

    /** The iteration of that pipeline, from 0; 0 outside pipelines. */
    public long iteration() {
        return iteration;
    }

    /** The position, in the block, of the current operation or of its pipeline. */
    public int position() {
        return position;
    }

    /**
     * The position of the current operation within its pipeline; −1 if it is in none. There must be a current
     * operation.
     */
    public int inner() {
        return pipeline() == null ? -1 : inner;
    }

    /** The address of the current operation, which must exist. */
    public OperationAddress address() {
        return pipeline() == null
                ? OperationAddress.of(rank, block.id(), position)
                : OperationAddress.inPipeline(rank, block.id(), position, inner);
    }
}
