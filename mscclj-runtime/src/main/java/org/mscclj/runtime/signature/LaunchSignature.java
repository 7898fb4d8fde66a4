package org.mscclj.runtime.signature;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.runtime.control.Wire;

/**
 * Properties of a launch that are equal on all ranks.
 *
 * @param operation name of the operation, for example {@code allreduce}
 * @param type the label of the data type; empty if there is none
 * @param reduction the label of the reduce operation; empty if nothing is reduced
 * @param root the root; −1 if there is none
 * @param bytes size of the message, in bytes; empty if it differs between ranks, as it does for a collective that
 *     consists of point-to-point transfers
 * @param inPlace whether input and output share memory
 * @param places locations of the buffers
 * @param algorithm the plan or algorithm that runs
 */
public record LaunchSignature(
        String operation,
        String type,
        String reduction,
        int root,
        Optional<Long> bytes,
        boolean inPlace,
        BufferLocations places,
        String algorithm) {
    /** Returns the signature of an operation with buffers of an equal size on all ranks. */
    public static LaunchSignature of(OperationDescription description, BufferLocations places) {
        return of(description, Optional.of(description.bytes()), places);
    }

    /** Returns the signature of a collective that consists of point-to-point transfers. */
    public static LaunchSignature ofMessages(OperationDescription description) {
        return of(description, Optional.empty(), BufferLocations.PLAIN);
    }

    private static LaunchSignature of(OperationDescription description, Optional<Long> bytes, BufferLocations places) {
        return new LaunchSignature(
                description.operation(),
                description.type(),
                description.reduction(),
                description.root(),
                bytes,
                description.inPlace(),
                places,
                description.algorithm());
    }

    /** Encodes the signature for the comparison of ranks. Only equal signatures have equal bytes. */
    public byte[] encode() {
        return SignatureCode.LAUNCH.encode(out -> {
            out.writeUTF(operation);
            out.writeUTF(type);
            out.writeUTF(reduction);
            out.writeInt(root);
            out.writeBoolean(bytes.isPresent());
            if (bytes.isPresent()) {
                out.writeLong(bytes.get());
            }
            out.writeBoolean(inPlace);
            places.write(out);
            Wire.writeText(out, algorithm);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this version
     */
    public static LaunchSignature decode(byte[] signature) {
        return SignatureCode.LAUNCH.decode(signature, in -> {
            String operation = in.readUTF();
            String type = in.readUTF();
            String reduction = in.readUTF();
            int root = in.readInt();
            Optional<Long> bytes = SignatureCode.readBoolean(in) ? Optional.of(in.readLong()) : Optional.empty();
            return new LaunchSignature(
                    operation,
                    type,
                    reduction,
                    root,
                    bytes,
                    SignatureCode.readBoolean(in),
                    BufferLocations.read(in),
                    in.readUTF());
        });
    }

    /** Returns eight bytes that distinguish signatures. */
    public long fingerprint() {
        return ByteBuffer.wrap(Sha256.bytes(encode())).getLong();
    }

    /** Describes the launch, for example "allreduce of 1 MiB float16, sum, in place, by ring". */
    public String describe() {
        return bytes.isPresent()
                ? new OperationDescription(
                                operation, type, reduction, root, bytes.get(), inPlace, places.describe(), algorithm)
                        .toString()
                : operation + " of "
                        + (type.isEmpty() ? "" : type + " ")
                        + "parts"
                        + (root < 0 ? "" : ", root " + root)
                        + ", by "
                        + algorithm;
    }
}
