package org.mscclj.spi.protection;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the records of one direction of a connection, or opens them, by AES-256-GCM. Records are counted on both sides,
 * so that one that was changed, left out, repeated or moved cannot be opened. The key is replaced by one that follows
 * from it long before it has sealed too much. Used by one thread at a time.
 */
public final class RecordCipher {
    /** Bytes by which a sealed record is longer. */
    public static final int OVERHEAD = 16;

    /** The length of a key, in bytes. */
    public static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 8 * OVERHEAD;
    private static final long RECORDS_OF_A_KEY = 1L << 24;
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final String DERIVATION = "HmacSHA256";

    private final int mode;
    private final Cipher cipher;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private byte[] key;
    private SecretKeySpec spec;
    private long count;

    private RecordCipher(int mode, byte[] key) {
        this.mode = mode;
        this.key = key.clone();
        this.spec = new SecretKeySpec(this.key, "AES");
        try {
            this.cipher = Cipher.getInstance(TRANSFORMATION);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + TRANSFORMATION, e);
        }
    }

    /** Seals with a key. */
    public static RecordCipher sealing(byte[] key) {
        return new RecordCipher(Cipher.ENCRYPT_MODE, key);
    }

    /** Opens what was sealed with a key. */
    public static RecordCipher opening(byte[] key) {
        return new RecordCipher(Cipher.DECRYPT_MODE, key);
    }

    /** A key for one purpose, which tells nothing about the secret that it is made of. */
    public static byte[] derive(byte[] secret, byte[] purpose) {
        try {
            Mac mac = Mac.getInstance(DERIVATION);
            mac.init(new SecretKeySpec(secret, DERIVATION));
            return mac.doFinal(purpose);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + DERIVATION, e);
        }
    }

    /**
     * Seals or opens the next record.
     *
     * @param header what is not sealed, but may not be changed either
     * @param from the record, all that remains
     * @param to room for the result
     * @return whether the record was opened; false if it is not the next that the peer sealed. Sealing always succeeds
     */
    public boolean next(byte[] header, ByteBuffer from, ByteBuffer to) {
        try {
            ByteBuffer.wrap(nonce).putLong(NONCE_BYTES - Long.BYTES, count);
            cipher.init(mode, spec, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(header);
            int _ = cipher.doFinal(from, to);
            count++;
            if (count == RECORDS_OF_A_KEY) {
                replaceKey();
            }
            return true;
        } catch (AEADBadTagException _) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("record " + count + " of " + from.remaining() + " bytes", e);
        }
    }

    private void replaceKey() {
        byte[] next = derive(key, new byte[] {'n', 'e', 'x', 't'});
        Arrays.fill(key, (byte) 0);
        key = next;
        spec = new SecretKeySpec(key, "AES");
        count = 0;
    }
}
