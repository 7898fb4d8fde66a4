package org.mscclj.plan.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.ThreadBlock;

/** Where a block stands in its operations, with pipelines unrolled. */
final class Cursor implements SpanLog.Agent {
    private final Machine machine;
    private final int rank;
    private final ThreadBlock block;
    private int position;
    private int inner;
    private long iteration;

    Cursor(Machine machine, int rank, ThreadBlock block) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
    }

    /** The operation to do; none at the end. */
    @Nullable
    Operation current() {
        List<Operation> operations = block.operations();
        while (position < operations.size()) {
            if (!(operations.get(position) instanceof Operation.Pipeline pipeline)) {
                return operations.get(position);
            }
            if (inner < pipeline.operations().size() && iteration < machine.iterations(pipeline)) {
                return pipeline.operations().get(inner);
            }
            inner = 0;
            iteration++;
            if (iteration >= machine.iterations(pipeline)
                    || pipeline.operations().isEmpty()) {
                iteration = 0;
                position++;
            }
        }
        return null;
    }

    void advance() {
        if (pipeline() == null) {
            position++;
        } else {
            inner++;
        }
    }

    /** The pipeline that it is in; none if it is in none. */
    Operation.@Nullable Pipeline pipeline() {
        return block.operations().get(position) instanceof Operation.Pipeline pipeline ? pipeline : null;
    }

    @Override
    public int iteration() {
        return (int) iteration;
    }

    @Override
    public OperationAddress address() {
        return pipeline() == null
                ? OperationAddress.of(rank, block.id(), position)
                : OperationAddress.inPipeline(rank, block.id(), position, inner);
    }
}
