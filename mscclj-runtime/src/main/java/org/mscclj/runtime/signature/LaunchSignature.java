package org.mscclj.runtime.signature;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.digest.Sha256;

/**
 * What is equal on all ranks of a launch.
 *
 * @param operation what is called, for example {@code allreduce}
 * @param type the label of the data type; empty if there is none
 * @param reduction the label of the reduce operation; empty if nothing is reduced
 * @param root the root; −1 if there is none
 * @param bytes size of the message, in bytes; empty if it differs between ranks, as that of a collective that consists
 *     of messages does
 * @param inPlace whether input and output share memory
 * @param places where the buffers lie
 * @param algorithm the plan or algorithm that runs
 */
public record LaunchSignature(
        String operation,
        String type,
        String reduction,
        int root,
        Optional<Long> bytes,
        boolean inPlace,
        Places places,
        String algorithm) {
    /** The signature of an operation with buffers of an equal size on all ranks. */
    public static LaunchSignature of(OperationDescription description, Places places) {
        return of(description, Optional.of(description.bytes()), places);
    }

    /** The signature of a collective that consists of messages. */
    public static LaunchSignature ofMessages(OperationDescription description) {
        return of(description, Optional.empty(), Places.PLAIN);
    }

    private static LaunchSignature of(OperationDescription description, Optional<Long> bytes, Places places) {
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

    /** The bytes that ranks compare; equal for equal signatures alone. */
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
     * What the bytes say.
     *
     * @throws org.mscclj.api.error.BackendException if they are no signature of this version
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
                    Places.read(in),
                    in.readUTF());
        });
    }

    /** Eight bytes that tell signatures apart. */
    public long fingerprint() {
        return ByteBuffer.wrap(Sha256.bytes(encode())).getLong();
    }

    /** The launch in words, for example "allreduce of 1 MiB float16, sum, in place, by ring". */
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
