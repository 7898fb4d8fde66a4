package org.mscclj.transport.tcp;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the side that connects says first, and what both sides prove about it: that they know the token of the end which
 * it names.
 *
 * <p>A proof is an HMAC over the greeting and fresh random numbers of both sides, so that nothing that was overheard
 * can be used again.
 *
 * @param endpoint the end to connect to
 * @param lane which of its lanes this is, if it is not {@linkplain #isForLink for a link}
 * @param lanes how many there are
 * @param sealed whether what follows the greeting is sealed
 * @param nonce the connecting side's random number
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Hello(long endpoint, int lane, int lanes, boolean sealed, byte[] nonce) {
    /** What the greeting starts with: name and version of the protocol. */
    static final long MAGIC = 0x4d53_4343_4c4a_0003L; // "MSCCLJ", 3

    static final int NONCE = 32;
    static final int PROOF = 32;
    static final int TOKEN = 32;

    /** Bytes of a greeting. */
    static final int BYTES = 2 * Long.BYTES + 3 * Integer.BYTES + NONCE;

    /** Bytes of the answer: magic number, random number, proof. */
    static final int CHALLENGE = Long.BYTES + NONCE + PROOF;

    /** Who proves. */
    enum Side {
        ACCEPTING(1),
        CONNECTING(2);

        private final byte code;

        Side(int code) {
            this.code = (byte) code;
        }
    }

    /** Tells keys from proofs. */
    private static final int KEY = 0x10;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALGORITHM = "HmacSHA256";

    /** In place of a lane: the socket is to become a {@link Link}, over which others follow. */
    private static final int LINK = -1;

    /** The greeting of a link, by an end that its first lane leads to. */
    static Hello forLink(long endpoint) {
        return new Hello(endpoint, LINK, 0, false, random(NONCE));
    }

    boolean isForLink() {
        return lane == LINK;
    }

    /** Random bytes. */
    static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }

    ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putLong(endpoint)
                .putInt(lane)
                .putInt(lanes)
                .putInt(sealed ? 1 : 0)
                .put(nonce)
                .flip();
    }

    /** What the bytes say; empty if they are no greeting of this version. */
    static Optional<Hello> decode(ByteBuffer in) {
        if (in.getLong() != MAGIC) {
            return Optional.empty();
        }
        long endpoint = in.getLong();
        int lane = in.getInt();
        int lanes = in.getInt();
        boolean sealed = in.getInt() != 0;
        byte[] nonce = new byte[NONCE];
        in.get(nonce);
        return Optional.of(new Hello(endpoint, lane, lanes, sealed, nonce));
    }

    /**
     * What proves that a side knows the token.
     *
     * @param channel what both ends know of the encrypted connection below; empty if there is none
     */
    byte[] proof(Side side, byte[] token, byte[] accepting, byte[] channel) {
        return mac(side.code, token, accepting, channel);
    }

    /** The key of what a side sends, if it is sealed. */
    byte[] key(Side side, byte[] token, byte[] accepting) {
        return mac((byte) (KEY | side.code), token, accepting, new byte[0]);
    }

    private byte[] mac(byte use, byte[] token, byte[] accepting, byte[] channel) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token, ALGORITHM));
            mac.update(use);
            mac.update(encode());
            mac.update(accepting);
            mac.update(channel);
            return mac.doFinal();
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Whether that is the proof; takes equally long whatever differs. */
    boolean isProof(byte[] given, Side side, byte[] token, byte[] accepting, byte[] channel) {
        return MessageDigest.isEqual(proof(side, token, accepting, channel), given);
    }
}
