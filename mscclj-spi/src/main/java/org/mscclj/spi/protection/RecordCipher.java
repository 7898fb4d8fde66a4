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
 * Seals the records of one direction of a connection, or opens them, by AES-256-GCM. Both sides count records, so that
 * a record that was changed, omitted, repeated or reordered cannot be opened. The cipher replaces its key by a derived
 * key long before the key reaches its limit of sealed data. One thread at a time uses it.
 */
public final class RecordCipher {
    /** The number of bytes that sealing adds to a record. */
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

    /** Creates a cipher that seals with a key. */
    public static RecordCipher sealing(byte[] key) {
        return new RecordCipher(Cipher.ENCRYPT_MODE, key);
    }

    /** Creates a cipher that opens records sealed with a key. */
    public static RecordCipher opening(byte[] key) {
        return new RecordCipher(Cipher.DECRYPT_MODE, key);
    }

    /** Derives a key for one purpose, which reveals nothing about the secret. */
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
     * @param header data that is authenticated, but not encrypted
     * @param from the record: all remaining bytes
     * @param to buffer for the result
     * @return whether the record was opened; false if it is not the next record that the peer sealed. Sealing always
     *     succeeds
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
