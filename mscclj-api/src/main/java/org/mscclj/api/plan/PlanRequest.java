package org.mscclj.api.plan;

import java.util.Objects;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The properties of a call that a selector sees; all are equal on all ranks.
 *
 * @param collective the collective to compute
 * @param op how contributions are combined
 * @param type element type
 * @param messageSize the size to which the limits of plans apply, in bytes: the output's for allgather, the input's
 *     otherwise
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
