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
 * connecting → accepting   hello: magic, purpose, own rank, rank it wants, size, hash of the job's name, version, fresh nonce
 * accepting  → connecting  fresh nonce
 * connecting → accepting   HMAC(secret, "connecting" ‖ hello ‖ nonce)
 * accepting  → connecting  1, HMAC(secret, "accepting" ‖ hello ‖ nonce); or why it refuses, and the end
 * </pre>
 *
 * <p>The side that connects proves first, so that a stranger gets nothing that depends on the secret. The nonces make replays worthless, the
 * roles reflections, and the ranks in the proof keep a proof for one rank from serving for another.
 *
 * @param secret the group's
 * @param rank this rank
 * @param size number of ranks
 * @param group the job and the version, which must be equal on both sides
 */
public record Handshake(SharedSecret secret, int rank, int size, GroupIdentity group) {
    private static final long MAGIC = 0x4d53_4343_4c4a_0002L; // "MSCCLJ" and the version of the protocol
    private static final int PROTOCOL_BITS = 16;
    private static final int NONCE_BYTES = 32;
    private static final int HELLO_BYTES =
            Long.BYTES + 1 + 3 * Integer.BYTES + GroupIdentity.JOB_BYTES + GroupIdentity.VERSION_BYTES + NONCE_BYTES;
    private static final String CONNECTING = "mscclj control 2 connecting";
    private static final String ACCEPTING = "mscclj control 2 accepting";
    private static final byte ACCEPTED = 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** For a group that nothing but the secret tells from others. */
    public Handshake(SharedSecret secret, int rank, int size) {
        this(secret, rank, size, GroupIdentity.ofJob(""));
    }

    /** Why a peer is refused. One that does not know the secret is told nothing else. */
    private enum Refusal {
        /** It does not know the secret. */
        SECRET(0),
        /** It wants another rank, or is no rank of a group of this size. */
        RANK(2),
        /** It belongs to another job. */
        JOB(3),
        /** It is another version of mscclj. */
        VERSION(4);

        private final byte code;

        Refusal(int code) {
            this.code = (byte) code;
        }
    }

    /** The side that has connected to a peer. */
    void connecting(DataInputStream in, DataOutputStream out, Purpose purpose, int peer) throws IOException {
        byte[] hello = ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .put(purpose.code())
                .putInt(rank)
                .putInt(peer)
                .putInt(size)
                .put(group.jobHash())
                .put(group.paddedVersion())
                .put(nonce())
                .array();
        out.write(hello);
        out.flush();
        byte[] conversation = join(hello, readFully(in, NONCE_BYTES));
        out.write(secret.proof(CONNECTING, conversation));
        out.flush();
        byte answer = in.readByte();
        if (answer != ACCEPTED) {
            throw new HandshakeException(refused(answer, peer));
        }
        if (!secret.accepts(ACCEPTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            throw new HandshakeException("it does not know the secret");
        }
    }

    private String refused(byte answer, int peer) {
        if (answer == Refusal.JOB.code) {
            return "it belongs to another job that uses the same address; this rank belongs to " + group.words()
                    + "; give each job a port of its own, or start all ranks with the same MSCCLJ_JOB";
        }
        if (answer == Refusal.VERSION.code) {
            return "it is another version of mscclj than this rank's, which is " + group.version()
                    + "; use the same version for all ranks";
        }
        if (answer == Refusal.RANK.code) {
            return "it knows the secret, but is not rank " + peer + " of " + size + ", or sees no place for rank "
                    + rank + "; give all ranks the same number of ranks, and each a rank of its own";
        }
        return "it refuses this rank; it has another secret, another group uses its port, or it is no mscclj process";
    }

    /**
     * The side that somebody has connected to.
     *
     * @return the peer's rank
     */
    int accepting(DataInputStream in, DataOutputStream out, Purpose purpose) throws IOException {
        byte[] magic = readFully(in, Long.BYTES);
        requireProtocol(magic);
        byte[] hello = join(magic, readFully(in, HELLO_BYTES - magic.length));
        ByteBuffer fields = ByteBuffer.wrap(hello).position(magic.length);
        byte[] nonce = nonce();
        out.write(nonce);
        out.flush();
        byte[] conversation = join(hello, nonce);
        if (!secret.accepts(CONNECTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            throw refuse(out, Refusal.SECRET, new HandshakeException("its secret is different"));
        }
        byte claimedPurpose = fields.get();
        int peer = fields.getInt();
        int wanted = fields.getInt();
        int peerSize = fields.getInt();
        requireSameGroup(out, fields, "rank " + peer + " of " + peerSize);
        if (claimedPurpose != purpose.code() || wanted != rank) {
            throw refuse(
                    out,
                    Refusal.RANK,
                    HandshakeException.ofMember("it wants rank " + wanted + " for purpose " + claimedPurpose
                            + ", and this is rank " + rank + " for purpose " + purpose.code()));
        }
        if (peerSize != size || peer < 0 || peer >= size || peer == rank) {
            throw refuse(
                    out,
                    Refusal.RANK,
                    HandshakeException.ofMember(
                            "it is rank " + peer + " of " + peerSize + ", and this is rank " + rank + " of " + size));
        }
        out.writeByte(ACCEPTED);
        out.write(secret.proof(ACCEPTING, conversation));
        out.flush();
        return peer;
    }

    private static void requireProtocol(byte[] magic) throws HandshakeException {
        long theirs = ByteBuffer.wrap(magic).getLong();
        if (theirs >>> PROTOCOL_BITS != MAGIC >>> PROTOCOL_BITS) {
            throw new HandshakeException("it does not speak this protocol: " + printable(magic));
        }
        if (theirs != MAGIC) {
            throw new HandshakeException("it speaks version " + (theirs & 0xffff) + " of the protocol, and this rank"
                    + " version " + (MAGIC & 0xffff) + "; use the same version of mscclj for all ranks");
        }
    }

    private void requireSameGroup(DataOutputStream out, ByteBuffer fields, String peer) throws IOException {
        byte[] job = new byte[GroupIdentity.JOB_BYTES];
        byte[] version = new byte[GroupIdentity.VERSION_BYTES];
        fields.get(job).get(version);
        if (!Arrays.equals(job, group.jobHash())) {
            throw refuse(
                    out,
                    Refusal.JOB,
                    HandshakeException.ofMember(
                            "it is " + peer + " of another job than " + group.words() + ", and uses the same address"));
        }
        if (!Arrays.equals(version, group.paddedVersion())) {
            throw refuse(
                    out,
                    Refusal.VERSION,
                    HandshakeException.ofMember("it is " + peer + " with version " + GroupIdentity.version(version)
                            + " of mscclj, and this is " + group.version() + "; use the same version for all ranks"));
        }
    }

    /** Tells the peer why, and returns what is thrown here. */
    private static HandshakeException refuse(DataOutputStream out, Refusal why, HandshakeException told)
            throws IOException {
        out.writeByte(why.code);
        out.flush();
        return told;
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
        return '"' + new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".") + "…\"";
    }
}
