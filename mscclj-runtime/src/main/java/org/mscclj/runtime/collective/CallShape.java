package org.mscclj.runtime.collective;

import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.signature.CallSignature;
import org.mscclj.runtime.signature.Places;
import org.mscclj.runtime.signature.Role;

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

    /** What ranks compare of a call with buffers at such places. */
    CallSignature signature(Places places) {
        return new CallSignature(
                collective, type, op.kind(), root, sliceBytes, inPlace, algorithm.orElse(""), role, places);
    }

    /** The size that limits of plans speak of, in bytes: the output's for allgather, the input's otherwise. */
    long messageBytes(int ranks) {
        return sliceBytes
                * (collective == Collective.ALLGATHER ? collective.outputSlices(ranks) : collective.inputSlices(ranks));
    }

    @Override
    public String toString() {
        return signature(Places.PLAIN).describe();
    }
}
