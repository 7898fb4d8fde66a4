package org.mscclj.runtime.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.mscclj.api.error.UnsupportedException;

/** Identifies texts by their hash, where the texts are too long or contain characters that a name cannot. */
public final class Sha256 {
    private Sha256() {}

    /** Returns the hash of a text in UTF-8, as 64 hexadecimal digits. */
    public static String of(String text) {
        return HexFormat.of().formatHex(bytes(text));
    }

    /** Returns the hash of a text in UTF-8, 32 bytes. */
    public static byte[] bytes(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the hash of an array, 32 bytes. */
    public static byte[] bytes(byte[] data) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (NoSuchAlgorithmException _) {
            throw new UnsupportedException("this Java runtime has no SHA-256; use a complete JDK");
        }
    }

    /**
     * Returns the first 16 digits of the hash of a text. They are enough where no attacker searches for another text
     * with an equal hash.
     */
    public static String shortOf(String text) {
        return of(text).substring(0, 16);
    }
}
