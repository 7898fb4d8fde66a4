package org.mscclj.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * How two ranks prove to each other that they know the group's secret, before either believes anything else:
 *
 * <pre>
 * connecting → accepting   hello: magic, purpose, own rank, rank it wants, size, fresh nonce
 * accepting  → connecting  fresh nonce
 * connecting → accepting   HMAC(secret, "connecting" ‖ hello ‖ nonce)
 * accepting  → connecting  1, HMAC(secret, "accepting" ‖ hello ‖ nonce); or 0, and the end
 * </pre>
 *
 * <p>The side that connects proves first, so that a stranger gets nothing that depends on the secret. The nonces make replays worthless, the
 * roles reflections, and the ranks in the proof keep a proof for one rank from serving for another.
 *
 * @param secret the group's
 * @param rank this rank
 * @param size number of ranks
 */
public record Handshake(SharedSecret secret, int rank, int size) {
    private static final long MAGIC = 0x4d53_4343_4c4a_0001L; // "MSCCLJ" and the version of the protocol
    private static final int NONCE_BYTES = 32;
    private static final int HELLO_BYTES = Long.BYTES + 1 + 3 * Integer.BYTES + NONCE_BYTES;
    private static final String CONNECTING = "mscclj control 1 connecting";
    private static final String ACCEPTING = "mscclj control 1 accepting";
    private static final byte ACCEPTED = 1;
    private static final byte REFUSED = 0;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The side that has connected to a peer. */
    void connecting(DataInputStream in, DataOutputStream out, Purpose purpose, int peer) throws IOException {
        byte[] hello = ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .put(purpose.code())
                .putInt(rank)
                .putInt(peer)
                .putInt(size)
                .put(nonce())
                .array();
        out.write(hello);
        out.flush();
        byte[] conversation = join(hello, readFully(in, NONCE_BYTES));
        out.write(secret.proof(CONNECTING, conversation));
        out.flush();
        if (in.readByte() != ACCEPTED) {
            throw new HandshakeException("it refuses this rank; it has another secret or number of ranks, another group"
                    + " uses its port, or it is no mscclj process");
        }
        if (!secret.accepts(ACCEPTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            throw new HandshakeException("it does not know the secret");
        }
    }

    /**
     * The side that somebody has connected to.
     *
     * @return the peer's rank
     */
    int accepting(DataInputStream in, DataOutputStream out, Purpose purpose) throws IOException {
        byte[] hello = readFully(in, HELLO_BYTES);
        ByteBuffer fields = ByteBuffer.wrap(hello);
        if (fields.getLong() != MAGIC) {
            throw new HandshakeException("it does not speak this protocol: " + printable(hello));
        }
        byte[] nonce = nonce();
        out.write(nonce);
        out.flush();
        byte[] conversation = join(hello, nonce);
        if (!secret.accepts(CONNECTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            refuse(out, "its secret is different");
        }
        byte claimedPurpose = fields.get();
        int peer = fields.getInt();
        int wanted = fields.getInt();
        int peerSize = fields.getInt();
        if (claimedPurpose != purpose.code() || wanted != rank) {
            refuse(
                    out,
                    "it wants rank " + wanted + " for purpose " + claimedPurpose + ", and this is rank " + rank
                            + " for purpose " + purpose.code());
        }
        if (peerSize != size || peer < 0 || peer >= size || peer == rank) {
            refuse(out, "it is rank " + peer + " of " + peerSize + ", and this is rank " + rank + " of " + size);
        }
        out.writeByte(ACCEPTED);
        out.write(secret.proof(ACCEPTING, conversation));
        out.flush();
        return peer;
    }

    private static void refuse(DataOutputStream out, String why) throws IOException {
        out.writeByte(REFUSED);
        out.flush();
        throw new HandshakeException(why);
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static byte[] readFully(DataInputStream in, int bytes) throws IOException {
        byte[] read = new byte[bytes];
        in.readFully(read);
        return read;
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static String printable(byte[] bytes) {
        return '"' + new String(bytes, 0, 16, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".") + "…\"";
    }
}
