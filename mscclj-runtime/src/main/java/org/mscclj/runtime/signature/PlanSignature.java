package org.mscclj.runtime.signature;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * What must be equal on all ranks of a call of a plan.
 *
 * @param label the label of the plan, for messages
 * @param digest of the content of the plan
 * @param sliceBytes bytes of a slice
 * @param op the operation without its factor, which may differ between ranks
 * @param packetType the label of the type of packets
 */
public record PlanSignature(
        String label, String digest, long sliceBytes, DataType type, ReduceOp.Kind op, String packetType) {
    /** The bytes that ranks compare; equal for equal signatures alone. */
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
     * What the bytes say.
     *
     * @throws org.mscclj.api.error.BackendException if they are no signature of this version
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

    /** The call in words. */
    public String describe() {
        return "plan " + label + " (" + digest + "), " + sliceBytes + " bytes a slice, " + type + ", " + op.label()
                + ", " + packetType;
    }
}
