package org.mscclj.runtime.signature;

import java.util.List;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * What must be equal on all ranks of a reduction of parts of any sizes.
 *
 * @param op the operation without its factor, which may differ between ranks
 * @param sizes bytes of each part, by rank
 */
public record ReductionSignature(DataType type, ReduceOp.Kind op, List<Long> sizes) {
    /** Copies the list. */
    public ReductionSignature {
        sizes = List.copyOf(sizes);
    }

    /** The bytes that ranks compare; equal for equal signatures alone. */
    public byte[] encode() {
        return SignatureCode.REDUCTION.encode(out -> {
            out.writeUTF(type.name());
            out.writeUTF(op.name());
            Wire.writeNumbers(out, sizes);
        });
    }

    /**
     * What the bytes say.
     *
     * @throws org.mscclj.api.error.BackendException if they are no signature of this version
     */
    public static ReductionSignature decode(byte[] signature) {
        return SignatureCode.REDUCTION.decode(
                signature,
                in -> new ReductionSignature(
                        SignatureCode.read(DataType.class, in),
                        SignatureCode.read(ReduceOp.Kind.class, in),
                        Wire.readNumbers(in)));
    }

    /** The call in words. */
    public String describe() {
        return "reduceScatter of " + type + ", " + op.label() + ", parts of " + sizes + " bytes";
    }
}
