package org.mscclj.gpu.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. Every Java platform supports them. */
public final class Digest {
    /** The length of a digest, in bytes. */
    public static final int BYTES = 32;

    private Digest() {}

    /** The digest of bytes, in hexadecimal digits. */
    public static String of(byte[] content) {
        return HexFormat.of().formatHex(bytes(content));
    }

    /** The digest of several texts, in hexadecimal digits. It depends on where one text ends and the next begins. */
    public static String of(String... parts) {
        MessageDigest digest = instance();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The digest of bytes. */
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
