package org.mscclj.plan.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.mscclj.api.error.UnsupportedException;

/** SHA-256 of texts, in UTF-8, and of bytes. */
public final class Sha256 {
    /** The length of a digest, in bytes. */
    public static final int BYTES = 32;

    private static final int SHORT_DIGITS = 16;

    private Sha256() {}

    /** Returns the digest of a text, as 64 hexadecimal digits. */
    public static String of(String text) {
        return of(utf8(text));
    }

    /** Returns the digest of an array, as 64 hexadecimal digits. */
    public static String of(byte[] data) {
        return HexFormat.of().formatHex(bytes(data));
    }

    /**
     * Returns the digest of several texts, as 64 hexadecimal digits. It depends on where one text ends and the next
     * begins.
     */
    public static String ofParts(String... parts) {
        MessageDigest digest = instance();
        for (String part : parts) {
            byte[] bytes = utf8(part);
            digest.update(utf8(bytes.length + ":"));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Returns the first 16 digits of the digest of a text. They are enough where no attacker searches for another text
     * with an equal digest.
     */
    public static String shortOf(String text) {
        return of(text).substring(0, SHORT_DIGITS);
    }

    /** Returns the digest of a text, {@value #BYTES} bytes. */
    public static byte[] bytes(String text) {
        return bytes(utf8(text));
    }

    /** Returns the digest of an array, {@value #BYTES} bytes. */
    public static byte[] bytes(byte[] data) {
        return instance().digest(data);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest instance() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new UnsupportedException("this Java runtime has no SHA-256; use a complete JDK", e);
        }
    }
}
