package org.mscclj.runtime.signature;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Wire;

/**
 * Properties of a collective call that must be equal on all ranks.
 *
 * @param op the operation without its factor, which may differ between ranks
 * @param sliceBytes bytes of a slice
 * @param inPlace whether input and output share memory as the collective's in-place form requires
 * @param algorithm the algorithm that the caller requests; empty for any
 * @param arguments the arguments for native algorithms, without the values of extra parameters; empty for none
 * @param role the purpose of the collective
 * @param places locations of the buffers
 */
public record CallSignature(
        Collective collective,
        DataType type,
        ReduceOp.Kind op,
        int root,
        long sliceBytes,
        boolean inPlace,
        String algorithm,
        String arguments,
        Role role,
        BufferLocations places) {
    /** Encodes the signature for the comparison of ranks. Only equal signatures have equal bytes. */
    public byte[] encode() {
        return SignatureCode.CALL.encode(out -> {
            out.writeUTF(collective.name());
            out.writeUTF(type.name());
            out.writeUTF(op.name());
            out.writeInt(root);
            out.writeLong(sliceBytes);
            out.writeBoolean(inPlace);
            Wire.writeText(out, algorithm);
            Wire.writeText(out, arguments);
            out.writeUTF(role.name());
            places.write(out);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this version
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
                        in.readUTF(),
                        SignatureCode.read(Role.class, in),
                        BufferLocations.read(in)));
    }

    /** Returns the signature of this call on plain memory. */
    public CallSignature withoutPlaces() {
        return new CallSignature(
                collective, type, op, root, sliceBytes, inPlace, algorithm, arguments, role, BufferLocations.PLAIN);
    }

    /** Returns the operation as which hooks and dumps show launches; empty if it is the collective. */
    public String operation() {
        return role == Role.PART ? "part " + root + " of " + Collective.REDUCESCATTER.label() : "";
    }

    /** Describes the call, without locations of buffers. */
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
                + (arguments.isEmpty() ? "" : ", " + arguments)
                + (role == Role.PART ? ", as " + operation() : "");
    }
}
