package org.mscclj.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Handshake in which two ranks prove to each other that they know the group's secret, before either trusts other data:
 *
 * <pre>
 * connecting → accepting   hello: magic, purpose, own rank, rank it wants, size, hash of the job's name,
 *                           version, whether frames are sealed, fresh nonce
 * accepting  → connecting  fresh nonce, HMAC(secret, "accepting" ‖ hello ‖ nonce ‖ channel)
 * connecting → accepting   1, HMAC(secret, "connecting" ‖ hello ‖ nonce ‖ channel); or 0, and the end
 * accepting  → connecting  1; or why it refuses, and the end
 * </pre>
 *
 * <p>The accepting side proves first: a process that listens in the place of a rank receives nothing that depends on
 * the secret. A connecting process receives a proof, and could try texts against it; for this reason secrets that can
 * be guessed are refused. The nonces make replays worthless, the roles make reflections worthless, and the ranks in the
 * proof keep a proof for one rank from serving for another. The channel is data that only the two ends of a TLS
 * connection know: it keeps a proof from serving for another connection, as a process between the two would need.
 * Without TLS it is empty.
 *
 * @param secret the group's secret
 * @param rank this rank
 * @param size number of ranks
 * @param group the job and the version, which must be equal on both sides
 */
public record Handshake(SharedSecret secret, int rank, int size, GroupIdentity group) {
    private static final long MAGIC =
            0x4d53_4343_4c4a_0004L; // "MSCCLJ" and the version of the protocol, of its frames, too
    private static final int PROTOCOL_BITS = 16;
    private static final int NONCE_BYTES = 32;
    private static final int HELLO_BYTES = Long.BYTES
            + 1
            + 3 * Integer.BYTES
            + GroupIdentity.JOB_BYTES
            + GroupIdentity.VERSION_BYTES
            + 1
            + NONCE_BYTES;
    private static final String CONNECTING = "mscclj control 4 connecting";
    private static final String ACCEPTING = "mscclj control 4 accepting";
    private static final String KEY_OF_CONNECTING = "mscclj control 4 key of the connecting side";
    private static final String KEY_OF_ACCEPTING = "mscclj control 4 key of the accepting side";
    private static final byte ACCEPTED = 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Creates the handshake of a group that only the secret distinguishes from others. */
    public Handshake(SharedSecret secret, int rank, int size) {
        this(secret, rank, size, GroupIdentity.ofJob(""));
    }

    /** The reason why a peer is refused. A peer that does not know the secret receives no other reason. */
    private enum Refusal {
        /** It does not know the secret. */
        SECRET(0),
        /** It requests another rank, or is no rank of a group of this size. */
        RANK(2),
        /** It belongs to another job. */
        JOB(3),
        /** It is another version of mscclj. */
        VERSION(4),
        /** It does not seal frames. */
        PROTECTION(5);

        private final byte code;

        Refusal(int code) {
            this.code = (byte) code;
        }
    }

    /**
     * Result of the handshake on each side.
     *
     * @param peer the other side's rank
     * @param sealed whether frames are sealed from here on
     * @param sending key for frames that this side sends
     * @param receiving key for frames that the peer sends
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Agreed(int peer, boolean sealed, byte[] sending, byte[] receiving) {}

    /**
     * Runs the handshake on the side that has connected to a peer.
     *
     * @param channel data that both ends know of the encrypted connection below; empty if there is none
     * @param sealed whether frames must be sealed
     */
    Agreed connecting(
            DataInputStream in, DataOutputStream out, Purpose purpose, int peer, byte[] channel, boolean sealed)
            throws IOException {
        byte[] hello = ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .put(purpose.code())
                .putInt(rank)
                .putInt(peer)
                .putInt(size)
                .put(group.jobHash())
                .put(group.paddedVersion())
                .put((byte) (sealed ? 1 : 0))
                .put(nonce())
                .array();
        out.write(hello);
        out.flush();
        byte[] conversation = join(join(hello, readFully(in, NONCE_BYTES)), channel);
        if (!secret.accepts(ACCEPTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            out.writeByte(Refusal.SECRET.code);
            out.flush();
            throw new HandshakeException(
                    "it has another secret, another group uses its port, a third party is between, or it"
                            + " is no mscclj process");
        }
        out.writeByte(ACCEPTED);
        out.write(secret.proof(CONNECTING, conversation));
        out.flush();
        byte answer = in.readByte();
        if (answer != ACCEPTED) {
            throw new HandshakeException(refused(answer, peer));
        }
        return new Agreed(
                peer,
                sealed,
                secret.proof(KEY_OF_CONNECTING, conversation),
                secret.proof(KEY_OF_ACCEPTING, conversation));
    }

    private String refused(byte answer, int peer) {
        if (answer == Refusal.JOB.code) {
            return "it belongs to another job that uses the same address; this rank belongs to " + group.describe()
                    + "; give each job a port of its own, or start all ranks with the same MSCCLJ_JOB";
        }
        if (answer == Refusal.VERSION.code) {
            return "it is another version of mscclj than this rank's, which is " + group.version()
                    + "; use the same version for all ranks";
        }
        if (answer == Refusal.PROTECTION.code) {
            return "it wants sealed frames, and this rank sends them as they are; set MSCCLJ_PROTECTION alike"
                    + " on all ranks";
        }
        if (answer == Refusal.RANK.code) {
            return "it knows the secret, but is not rank " + peer + " of " + size + ", or sees no place for rank "
                    + rank + "; give all ranks the same number of ranks, and each a rank of its own";
        }
        return "it refuses this rank; it has another secret, another group uses its port, or it is no mscclj process";
    }

    /**
     * Runs the handshake on the side that accepts a connection.
     *
     * @param channel data that both ends know of the encrypted connection below; empty if there is none
     * @param sealedOnly whether a peer that does not seal frames is refused
     * @param kept called after the peer has proved itself, and before the peer is notified; returns false if its
     *     connection has been given up
     */
    Agreed accepting(
            DataInputStream in,
            DataOutputStream out,
            Purpose purpose,
            byte[] channel,
            boolean sealedOnly,
            BooleanSupplier kept)
            throws IOException {
        byte[] magic = readFully(in, Long.BYTES);
        requireProtocol(magic);
        byte[] hello = join(magic, readFully(in, HELLO_BYTES - magic.length));
        ByteBuffer fields = ByteBuffer.wrap(hello).position(magic.length);
        byte[] nonce = nonce();
        byte[] conversation = join(join(hello, nonce), channel);
        out.write(nonce);
        out.write(secret.proof(ACCEPTING, conversation));
        out.flush();
        if (in.readByte() != ACCEPTED
                || !secret.accepts(CONNECTING, conversation, readFully(in, SharedSecret.PROOF_BYTES))) {
            throw refuse(out, Refusal.SECRET, new HandshakeException("its secret is different"));
        }
        byte claimedPurpose = fields.get();
        int peer = fields.getInt();
        int wanted = fields.getInt();
        int peerSize = fields.getInt();
        requireSameGroup(out, fields, "rank " + peer + " of " + peerSize);
        boolean sealed = fields.get() != 0;
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
        if (sealedOnly && !sealed) {
            throw refuse(
                    out,
                    Refusal.PROTECTION,
                    HandshakeException.ofMember("it is rank " + peer
                            + ", which does not seal frames, and this rank wants that; set"
                            + " MSCCLJ_PROTECTION alike on all ranks"));
        }
        if (!kept.getAsBoolean()) {
            throw new HandshakeException("more ranks or strangers connect than can prove themselves at once");
        }
        out.writeByte(ACCEPTED);
        out.flush();
        return new Agreed(
                peer,
                sealed,
                secret.proof(KEY_OF_ACCEPTING, conversation),
                secret.proof(KEY_OF_CONNECTING, conversation));
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
                    HandshakeException.ofMember("it is " + peer + " of another job than " + group.describe()
                            + ", and uses the same address"));
        }
        if (!Arrays.equals(version, group.paddedVersion())) {
            throw refuse(
                    out,
                    Refusal.VERSION,
                    HandshakeException.ofMember("it is " + peer + " with version " + GroupIdentity.version(version)
                            + " of mscclj, and this is " + group.version() + "; use the same version for all ranks"));
        }
    }

    /** Sends the reason to the peer, and returns the exception for this side. */
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
