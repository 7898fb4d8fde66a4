package org.mscclj.api.plan;

import java.util.Objects;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What a selector may look at: only what is equal on all ranks.
 *
 * @param collective what to compute
 * @param op how contributions are combined
 * @param type element type
 * @param messageSize the size that plans' limits speak of, in bytes: the output's for allgather, the input's otherwise
 * @param worldSize number of ranks
 * @param ranksPerNode ranks on each node
 * @param inPlace whether input and output share memory as the collective's in-place form does
 */
public record PlanRequest(
        Collective collective,
        ReduceOp op,
        DataType type,
        long messageSize,
        int worldSize,
        int ranksPerNode,
        boolean inPlace) {
    /** Checks that nothing is null. */
    public PlanRequest {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(type, "type");
    }
}
