package org.mscclj.runtime.signature;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * Properties of a plan's call that must be equal on all ranks.
 *
 * @param label the label of the plan, for messages
 * @param digest digest of the content of the plan
 * @param sliceBytes bytes of a slice
 * @param op the operation without its factor, which may differ between ranks
 * @param packetType the label of the type of packets
 */
public record PlanSignature(
        String label, String digest, long sliceBytes, DataType type, ReduceOp.Kind op, String packetType) {
    /** Encodes the signature for the comparison of ranks. Only equal signatures have equal bytes. */
    public byte[] encode() {
        return SignatureCode.PLAN.encode(out -> {
            Wire.writeText(out, label);
            out.writeUTF(digest);
            out.writeLong(sliceBytes);
            out.writeUTF(type.name());
            out.writeUTF(op.name());
            out.writeUTF(packetType);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this version
     */
    public static PlanSignature decode(byte[] signature) {
        return SignatureCode.PLAN.decode(
                signature,
                in -> new PlanSignature(
                        in.readUTF(),
                        in.readUTF(),
                        in.readLong(),
                        SignatureCode.read(DataType.class, in),
                        SignatureCode.read(ReduceOp.Kind.class, in),
                        in.readUTF()));
    }

    /** Describes the call. */
    public String describe() {
        return "plan " + label + " (" + digest + "), " + sliceBytes + " bytes a slice, " + type + ", " + op.label()
                + ", " + packetType;
    }
}
