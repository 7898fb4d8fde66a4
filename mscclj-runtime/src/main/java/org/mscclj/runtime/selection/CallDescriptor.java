package org.mscclj.runtime.selection;

import java.util.Optional;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.fallback.FallbackCall;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.CallSignature;
import org.mscclj.runtime.signature.Role;

/**
 * The properties of a call that must be equal on all ranks.
 *
 * @param op the operation without its factor
 * @param sliceBytes the size of a slice in bytes
 * @param inPlace whether input and output share memory as in the collective's in-place form
 * @param algorithm the algorithm that the caller names; empty for any
 * @param arguments the arguments for native algorithms, without the values of extra parameters
 * @param role the purpose of the collective
 */
public record CallDescriptor(
        Collective collective,
        DataType type,
        ReduceOp op,
        int root,
        long sliceBytes,
        boolean inPlace,
        Optional<String> algorithm,
        NativeArguments arguments,
        Role role) {
    /** Returns this shape in another role. */
    public CallDescriptor as(Role changed) {
        return new CallDescriptor(collective, type, op, root, sliceBytes, inPlace, algorithm, arguments, changed);
    }

    /** Returns what a fallback needs to know. */
    public FallbackCall forFallback() {
        return new FallbackCall(collective, type, op, root, inPlace);
    }

    /** Returns the signature that ranks compare, for a call with buffers at the given locations. */
    public CallSignature signature(BufferLocations places) {
        return new CallSignature(
                collective,
                type,
                op.kind(),
                root,
                sliceBytes,
                inPlace,
                algorithm.orElse(""),
                arguments.toString(),
                role,
                places);
    }

    /**
     * Returns the size to which the limits of plans refer, in bytes: the size of the output for allgather, otherwise
     * that of the input.
     */
    public long messageBytes(int ranks) {
        return sliceBytes * slices(ranks);
    }

    /** Returns the number of slices of the message. */
    public int slices(int ranks) {
        return slices(collective, ranks);
    }

    /** Returns the number of slices of a message of a collective. */
    public static int slices(Collective collective, int ranks) {
        return collective == Collective.ALLGATHER ? collective.outputSlices(ranks) : collective.inputSlices(ranks);
    }

    @Override
    public String toString() {
        return signature(BufferLocations.PLAIN).describe();
    }
}
