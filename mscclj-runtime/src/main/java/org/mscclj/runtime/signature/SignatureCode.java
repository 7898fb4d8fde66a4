package org.mscclj.runtime.signature;

import java.io.DataInputStream;
import java.io.IOException;
import org.mscclj.runtime.control.Wire;

/**
 * Common form of signatures as bytes: the version of the form, the kind of the signature, and its fields. Constants of
 * enums are written by their names, so that their order may change.
 */
public enum SignatureCode {
    /** A {@link CallSignature}. */
    CALL(1),
    /** A {@link PlanSignature}. */
    PLAN(2),
    /** A {@link ChoiceSignature}. */
    CHOICE(3),
    /** A {@link LaunchSignature}. */
    LAUNCH(4),
    /** A {@link ReductionSignature}. */
    REDUCTION(5),
    /** The settings with which ranks open a communicator. */
    OPENING(7);

    /** Version of the form. Must be raised with each change of the fields of a signature. */
    private static final int VERSION = 3;

    private final int code;

    SignatureCode(int code) {
        this.code = code;
    }

    /** Encodes a signature. */
    public byte[] encode(Wire.Writing fields) {
        return Wire.encode(out -> {
            out.writeByte(VERSION);
            out.writeByte(code);
            fields.to(out);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this kind and version
     */
    public <T> T decode(byte[] signature, Wire.Reading<T> fields) {
        return Wire.decode(signature, in -> {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new IOException("a signature of version " + version + ", where this rank has " + VERSION);
            }
            int kind = in.readUnsignedByte();
            if (kind != code) {
                throw new IOException("a signature of kind " + kind + ", where " + code + " is expected");
            }
            return fields.from(in);
        });
    }

    /** Reads a constant by its name. */
    public static <E extends Enum<E>> E read(Class<E> type, DataInputStream in) throws IOException {
        return Enum.valueOf(type, in.readUTF()); // an unknown name is malformed
    }

    /**
     * Reads the output of {@link java.io.DataOutputStream#writeBoolean}, and no other form: each value has one form.
     */
    public static boolean readBoolean(DataInputStream in) throws IOException {
        int value = in.readUnsignedByte();
        if (value > 1) {
            throw new IOException("a boolean of value " + value);
        }
        return value == 1;
    }
}
