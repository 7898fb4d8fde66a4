package org.mscclj.gpu.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every Java platform has. */
public final class Digest {
    /** Its length, in bytes. */
    public static final int BYTES = 32;

    private Digest() {}

    /** The digest in hexadecimal digits. */
    public static String of(byte[] content) {
        return HexFormat.of().formatHex(bytes(content));
    }

    /** The digest of texts, in hexadecimal digits; which text ends where makes a difference. */
    public static String of(String... parts) {
        MessageDigest digest = instance();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The digest itself. */
    public static byte[] bytes(byte[] content) {
        return instance().digest(content);
    }

    private static MessageDigest instance() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
