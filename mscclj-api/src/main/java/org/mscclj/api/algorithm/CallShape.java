package org.mscclj.api.algorithm;

import java.util.Objects;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The properties of a call on which the choice of its algorithm may depend. Equal on all ranks.
 *
 * @param collective the collective
 * @param type element type
 * @param op the operation without its factor; {@link ReduceOp#NOP} for a collective without a reduction
 * @param root the root; 0 if the collective has none
 * @param inPlace whether input and output share memory as in the collective's in-place form
 * @param registered whether peers can access input and output, at equal offsets on all ranks; false where ranks have
 *     not compared that
 * @param ranks number of ranks
 * @param ranksPerNode ranks on each node
 * @param bytes the size to which the limits of plans apply, in bytes: that of the output for allgather, of the input
 *     otherwise
 */
public record CallShape(
        Collective collective,
        DataType type,
        ReduceOp op,
        int root,
        boolean inPlace,
        boolean registered,
        int ranks,
        int ranksPerNode,
        long bytes) {
    /** Checks that nothing is null. */
    public CallShape {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
    }
}
