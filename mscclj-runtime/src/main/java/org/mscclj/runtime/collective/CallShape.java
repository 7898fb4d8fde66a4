package org.mscclj.runtime.collective;

import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What must be equal on all ranks of a call.
 *
 * @param op without its factor
 * @param sliceBytes bytes of a slice
 * @param inPlace whether input and output share memory as the collective's in-place form does
 * @param algorithm the one that the caller wants; empty for any
 * @param role as what the collective serves
 */
record CallShape(
        Collective collective,
        DataType type,
        ReduceOp op,
        int root,
        long sliceBytes,
        boolean inPlace,
        Optional<String> algorithm,
        Role role) {
    /** The same in another role. */
    CallShape as(Role changed) {
        return new CallShape(collective, type, op, root, sliceBytes, inPlace, algorithm, changed);
    }

    /** The operation as which launches are told; empty if it is the collective. */
    String toldAs() {
        return role == Role.PART ? "part " + root + " of " + Collective.REDUCESCATTER.label() : "";
    }

    /** The size that limits of plans speak of, in bytes: the output's for allgather, the input's otherwise. */
    long messageBytes(int ranks) {
        return sliceBytes
                * (collective == Collective.ALLGATHER ? collective.outputSlices(ranks) : collective.inputSlices(ranks));
    }

    @Override
    public String toString() {
        if (role == Role.BARRIER) {
            return "barrier of streams";
        }
        return collective + " of " + type
                + (collective.reduces() ? ", " + op.kind().label() : "")
                + (collective.hasRoot() ? ", root " + root : "")
                + ", " + sliceBytes + " bytes a "
                + (collective.inputSlices(2) == collective.outputSlices(2) && collective.inputSlices(2) == 1
                        ? "buffer"
                        : "part")
                + ", " + (inPlace ? "in place" : "out of place")
                + algorithm.map(name -> ", algorithm " + name).orElse("")
                + (role == Role.PART ? ", as " + toldAs() : "");
    }
}
