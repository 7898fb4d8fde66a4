package org.mscclj.runtime.signature;

import org.mscclj.runtime.control.Wire;

/**
 * Properties of a selected algorithm that determine how a call runs. Equal plans are not enough: shipped programs have
 * less scratch, and so other rounds, than registered plans.
 *
 * @param shipped whether it is a program that ships with mscclj or a fallback, not a registered plan
 * @param algorithm the name of the program, of the native algorithm or of the fallback; empty for a registered plan
 * @param plan the name of the plan; empty if there is none
 * @param digest digest of the plan; empty if there is none
 */
public record ChoiceSignature(boolean shipped, String algorithm, String plan, String digest) {
    /** Returns the signature of a fallback: it has a name, and no plan. */
    public static ChoiceSignature ofFallback(String name) {
        return new ChoiceSignature(true, name, "", "");
    }

    /** Returns the signature of a native algorithm: it has a name, and no plan. */
    public static ChoiceSignature ofNative(String name) {
        return new ChoiceSignature(false, name, "", "");
    }

    /** Encodes the signature for the comparison of ranks. Only equal signatures have equal bytes. */
    public byte[] encode() {
        return SignatureCode.CHOICE.encode(out -> {
            out.writeBoolean(shipped);
            Wire.writeText(out, algorithm);
            Wire.writeText(out, plan);
            out.writeUTF(digest);
        });
    }

    /**
     * Decodes a signature.
     *
     * @throws org.mscclj.api.error.BackendException if the bytes are no signature of this version
     */
    public static ChoiceSignature decode(byte[] signature) {
        return SignatureCode.CHOICE.decode(
                signature,
                in -> new ChoiceSignature(SignatureCode.readBoolean(in), in.readUTF(), in.readUTF(), in.readUTF()));
    }

    /** Describes the choice. */
    public String describe() {
        if (plan.isEmpty()) {
            return (shipped ? "fallback " : "native algorithm ") + algorithm;
        }
        return (shipped ? "shipped program " + algorithm + ", plan " : "registered plan ") + plan + " (" + digest + ")";
    }
}
