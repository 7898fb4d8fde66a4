package org.mscclj.runtime.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.mscclj.api.error.UnsupportedException;

/** What texts are told apart by where they are too long, or hold what a name cannot. */
public final class Sha256 {
    private Sha256() {}

    /** The hash of a text in UTF-8, as 64 hexadecimal digits. */
    public static String of(String text) {
        return HexFormat.of().formatHex(bytes(text));
    }

    /** The hash of a text in UTF-8, 32 bytes. */
    public static byte[] bytes(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of some bytes, 32 bytes. */
    public static byte[] bytes(byte[] data) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (NoSuchAlgorithmException _) {
            throw new UnsupportedException("this Java runtime has no SHA-256; use a complete JDK");
        }
    }

    /** The first 16 digits, which is enough where nobody looks for another text with the same. */
    public static String shortOf(String text) {
        return of(text).substring(0, 16);
    }
}
