package org.mscclj.runtime.socket;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.protection.RecordCipher;

/** The secret that all ranks of a group know. It is never sent; ranks prove that they know it by HMAC-SHA256. */
public final class SharedSecret {
    /** Length of a proof, in bytes. */
    static final int PROOF_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final boolean known;

    private SharedSecret(byte[] key, boolean known) {
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.known = known;
        // The classes of the algorithm are loaded now: when strangers have taken the last file descriptor, no class can
        // be loaded, and a class that has failed to load once cannot be used later.
        byte[] _ = proof("", new byte[0]);
        RecordCipher _ = RecordCipher.sealing(new byte[RecordCipher.KEY_BYTES]);
    }

    /** Creates a secret from a text of any length but 0. */
    public static SharedSecret of(String text) {
        return new SharedSecret(text.getBytes(StandardCharsets.UTF_8), false);
    }

    /** Returns the publicly known value, for groups that are configured to run without a secret. */
    public static SharedSecret insecure() {
        return new SharedSecret("insecure".getBytes(StandardCharsets.UTF_8), true);
    }

    /** Returns whether strangers do not know it. */
    boolean isSecret() {
        return !known;
    }

    /** Computes a role's proof that it knows the secret, for one conversation. */
    byte[] proof(String role, byte[] conversation) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update((byte) 0);
            return mac.doFinal(conversation);
        } catch (GeneralSecurityException e) {
            throw new UnsupportedException("this Java runtime has no " + ALGORITHM + "; use a complete JDK");
        }
    }

    /** Returns whether a peer's proof is right. Takes equally long wherever it is wrong. */
    boolean accepts(String role, byte[] conversation, byte[] proof) {
        return MessageDigest.isEqual(proof(role, conversation), proof);
    }
}
