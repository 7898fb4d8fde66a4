package org.mscclj.runtime.signature;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * What must be equal on all ranks of a collective.
 *
 * @param op the operation without its factor, which may differ between ranks
 * @param sliceBytes bytes of a slice
 * @param inPlace whether input and output share memory as the collective's in-place form does
 * @param algorithm the one that the caller wants; empty for any
 * @param role as what the collective serves
 * @param places where the buffers lie
 */
public record CallSignature(
        Collective collective,
        DataType type,
        ReduceOp.Kind op,
        int root,
        long sliceBytes,
        boolean inPlace,
        String algorithm,
        Role role,
        Places places) {
    /** The bytes that ranks compare; equal for equal signatures alone. */
    public byte[] encode() {
        return SignatureCode.CALL.encode(out -> {
            out.writeUTF(collective.name());
            out.writeUTF(type.name());
            out.writeUTF(op.name());
            out.writeInt(root);
            out.writeLong(sliceBytes);
            out.writeBoolean(inPlace);
            Wire.writeText(out, algorithm);
            out.writeUTF(role.name());
            places.write(out);
        });
    }

    /**
     * What the bytes say.
     *
     * @throws org.mscclj.api.error.BackendException if they are no signature of this version
     */
    public static CallSignature decode(byte[] signature) {
        return SignatureCode.CALL.decode(
                signature,
                in -> new CallSignature(
                        SignatureCode.read(Collective.class, in),
                        SignatureCode.read(DataType.class, in),
                        SignatureCode.read(ReduceOp.Kind.class, in),
                        in.readInt(),
                        in.readLong(),
                        SignatureCode.readBoolean(in),
                        in.readUTF(),
                        SignatureCode.read(Role.class, in),
                        Places.read(in)));
    }

    /** The same call on plain memory. */
    public CallSignature withoutPlaces() {
        return new CallSignature(collective, type, op, root, sliceBytes, inPlace, algorithm, role, Places.PLAIN);
    }

    /** The operation as which hooks and dumps show launches; empty if it is the collective. */
    public String operation() {
        return role == Role.PART ? "part " + root + " of " + Collective.REDUCESCATTER.label() : "";
    }

    /** The call, without places, in words. */
    public String describe() {
        if (role == Role.BARRIER) {
            return "barrier of streams";
        }
        return collective + " of " + type
                + (collective.reduces() ? ", " + op.label() : "")
                + (collective.hasRoot() ? ", root " + root : "")
                + ", " + sliceBytes + " bytes a "
                + (collective.inputSlices(2) == collective.outputSlices(2) && collective.inputSlices(2) == 1
                        ? "buffer"
                        : "part")
                + ", " + (inPlace ? "in place" : "out of place")
                + (algorithm.isEmpty() ? "" : ", algorithm " + algorithm)
                + (role == Role.PART ? ", as " + operation() : "");
    }
}
