package org.mscclj.runtime.signature;

import java.util.List;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * Properties of a variable-size reduction that must be equal on all ranks.
 *
 * @param op the operation without its factor, which may differ between ranks
 * @param sizes bytes of each part, by rank
 */
public record ReductionSignature(DataType type, ReduceOp.Kind op, List<Long> sizes) {
    /** Copies the list. */
    public ReductionSignature {
        sizes = List.copyOf(sizes);
    }

    /** Encodes the signature for the comparison of ranks. Only equal signatures have equal bytes. */
    public byte[] encode() {
        return SignatureCode.REDUCTION.encode(out -> {
            out.writeUTF(type.name());
            out.writeUTF(op.name());
            Wire.writeNumbers(out, sizes);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this version
     */
    public static ReductionSignature decode(byte[] signature) {
        return SignatureCode.REDUCTION.decode(
                signature,
                in -> new ReductionSignature(
                        SignatureCode.read(DataType.class, in),
                        SignatureCode.read(ReduceOp.Kind.class, in),
                        Wire.readNumbers(in)));
    }

    /** Describes the call. */
    public String describe() {
        return "reduceScatter of " + type + ", " + op.label() + ", parts of " + sizes + " bytes";
    }
}
