package org.mscclj.transport.tcp.greeting;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.mscclj.transport.tcp.link.ProcessLink;

/**
 * The first message of the connecting side, and the proofs of both sides that they know the token of the endpoint that
 * it names.
 *
 * <p>A proof is an HMAC over this message and fresh random numbers of both sides, so that a recorded exchange cannot be
 * replayed.
 *
 * @param endpoint the id of the endpoint to connect to
 * @param lane the index of the lane, unless the socket is {@linkplain #isForLink for a link}
 * @param lanes the number of lanes
 * @param sealed whether all bytes after the greeting are sealed
 * @param nonce the connecting side's random number
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Hello(long endpoint, int lane, int lanes, boolean sealed, byte[] nonce) {
    /** The first bytes of a greeting: name and version of the protocol. */
    public static final long MAGIC = 0x4d53_4343_4c4a_0003L; // "MSCCLJ", 3

    public static final int NONCE = 32;
    public static final int PROOF = 32;
    public static final int TOKEN = 32;

    /** Size of a greeting, in bytes. */
    public static final int BYTES = 2 * Long.BYTES + 3 * Integer.BYTES + NONCE;

    /** Size of the answer, in bytes: magic number, random number, proof. */
    public static final int CHALLENGE = Long.BYTES + NONCE + PROOF;

    /** The side that proves. */
    public enum Side {
        ACCEPTING(1),
        CONNECTING(2);

        private final byte code;

        Side(int code) {
            this.code = (byte) code;
        }
    }

    /** Separates the derivation of keys from that of proofs. */
    private static final int KEY = 0x10;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALGORITHM = "HmacSHA256";

    /** In place of a lane's index: the socket becomes a {@link ProcessLink}, which carries the lanes as streams. */
    private static final int LINK = -1;

    /** Creates the greeting of a link, authenticated by the endpoint of its first lane. */
    public static Hello forLink(long endpoint) {
        return new Hello(endpoint, LINK, 0, false, random(NONCE));
    }

    boolean isForLink() {
        return lane == LINK;
    }

    /** Returns random bytes. */
    public static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }

    public ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putLong(endpoint)
                .putInt(lane)
                .putInt(lanes)
                .putInt(sealed ? 1 : 0)
                .put(nonce)
                .flip();
    }

    /** Decodes a greeting; empty if the bytes are no greeting of this version. */
    public static Optional<Hello> decode(ByteBuffer in) {
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
     * Returns the proof that a side knows the token.
     *
     * @param channel the binding of the encrypted connection below, which both ends know; empty without encryption
     */
    public byte[] proof(Side side, byte[] token, byte[] accepting, byte[] channel) {
        return mac(side.code, token, accepting, channel);
    }

    /** Returns the key that seals the bytes that a side sends. */
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

    /** Whether two proofs are equal, compared in constant time. */
    public boolean isProof(byte[] given, Side side, byte[] token, byte[] accepting, byte[] channel) {
        return MessageDigest.isEqual(proof(side, token, accepting, channel), given);
    }
}
