package org.mscclj.runtime.socket;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.DurationText;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.RecordCipher;

/**
 * A connection that carries frames: a length, which is checked before anything is allocated, and that many bytes. One
 * thread reads at a time, and one writes. Between hosts frames are sealed by keys derived from the handshake, unless
 * {@link org.mscclj.spi.protection.WireProtection} decides otherwise.
 */
public final class ControlSocket implements AutoCloseable {
    /** Maximum length of a frame, in bytes: the frames of a set-up are far smaller. */
    public static final int MAX_FRAME = 64 << 20;

    private static final int BUFFER_BYTES = 8192;

    private final Socket raw;
    private final Socket secured;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * Opens the peer's frames; {@code sealing} seals frames to the peer. Both are null if frames travel unprotected.
     * Set before frames are exchanged.
     */
    private @Nullable RecordCipher opening;

    private @Nullable RecordCipher sealing;

    private ControlSocket(Socket raw, Socket secured) throws IOException {
        this.raw = raw;
        this.secured = secured;
        this.in = new DataInputStream(new BufferedInputStream(secured.getInputStream(), BUFFER_BYTES));
        this.out = new DataOutputStream(new BufferedOutputStream(secured.getOutputStream(), BUFFER_BYTES));
    }

    /** A handshake on an open connection. */
    @FunctionalInterface
    private interface Talk {
        ControlSocket with(Socket socket) throws IOException;
    }

    /** Creates a connection to a peer that has proved to be the requested rank. Closes the socket if that fails. */
    static ControlSocket connecting(Socket socket, Credentials credentials, Purpose purpose, int peer)
            throws IOException {
        return within(credentials.handshakeLimit(), socket, raw -> {
            ControlSocket connection =
                    new ControlSocket(raw, credentials.security().connecting(raw));
            connection.agreed(credentials
                    .handshake()
                    .connecting(
                            connection.in,
                            connection.out,
                            purpose,
                            peer,
                            credentials.security().channel(connection.secured),
                            connection.seals(credentials)));
            return connection;
        });
    }

    /**
     * Creates a connection from a peer that has proved to be a rank. Closes the socket if that fails.
     *
     * @param kept called after the peer has proved itself, and before the peer is notified; returns false if its
     *     connection has been given up
     */
    static Accepted accepting(Socket socket, Credentials credentials, Purpose purpose, BooleanSupplier kept)
            throws IOException {
        int[] peer = new int[1];
        ControlSocket accepted = within(credentials.handshakeLimit(), socket, raw -> {
            ControlSocket connection =
                    new ControlSocket(raw, credentials.security().accepting(raw));
            Handshake.Agreed agreed = credentials
                    .handshake()
                    .accepting(
                            connection.in,
                            connection.out,
                            purpose,
                            credentials.security().channel(connection.secured),
                            connection.seals(credentials),
                            kept);
            connection.agreed(agreed);
            peer[0] = agreed.peer();
            return connection;
        });
        return new Accepted(peer[0], accepted);
    }

    /** Returns whether this end requires sealed frames. */
    private boolean seals(Credentials credentials) {
        return credentials.security().seals(raw.getLocalAddress(), raw.getInetAddress())
                && credentials.handshake().secret().isSecret();
    }

    private void agreed(Handshake.Agreed agreed) {
        if (agreed.sealed()) {
            sealing = RecordCipher.sealing(agreed.sending());
            opening = RecordCipher.opening(agreed.receiving());
        }
    }

    /** A peer that has proved that it is a rank. */
    record Accepted(int rank, ControlSocket socket) {}

    /**
     * Closes the socket when the time is over, however slowly the other side sends: read timeouts start anew with every
     * byte.
     */
    private static ControlSocket within(Duration limit, Socket socket, Talk talk) throws IOException {
        CompletableFuture<Boolean> talking = new CompletableFuture<Boolean>()
                .completeOnTimeout(true, TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
        var _ = talking.thenAccept(expired -> {
            if (expired) {
                closeQuietly(socket);
            }
        });
        try {
            socket.setTcpNoDelay(true);
            KeepAlive.ofProcess().apply(socket);
            ControlSocket connection = talk.with(socket);
            if (!talking.complete(false)) {
                throw new HandshakeException(
                        "it took longer than " + DurationText.of(limit) + " to prove that it belongs to the group");
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            boolean expired = !talking.complete(false);
            closeQuietly(socket);
            if (expired && !(e instanceof HandshakeException)) {
                throw new HandshakeException(
                        "it did not prove within " + DurationText.of(limit) + " that it belongs to the group");
            }
            throw e;
        }
    }

    /** Writes a frame. Call {@link #flush} after the last one. */
    public void write(byte[] frame) throws IOException {
        RecordCipher cipher = sealing;
        if (cipher == null) {
            out.writeInt(frame.length);
            out.write(frame);
            return;
        }
        byte[] sealed = new byte[frame.length + RecordCipher.OVERHEAD];
        boolean _ = cipher.next(lengthOf(sealed), ByteBuffer.wrap(frame), ByteBuffer.wrap(sealed));
        out.writeInt(sealed.length);
        out.write(sealed);
    }

    private static byte[] lengthOf(byte[] frame) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array();
    }

    /** Sends the written frames. */
    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Reads a frame.
     *
     * @throws EOFException if the peer has ended the connection
     * @throws HandshakeException if no rank sends a frame of this length, or the frame was changed on its way
     */
    public byte[] read() throws IOException {
        int length = in.readInt();
        RecordCipher cipher = opening;
        int overhead = cipher == null ? 0 : RecordCipher.OVERHEAD;
        if (length < overhead || length > MAX_FRAME + overhead) {
            throw new HandshakeException(
                    "it sends a frame of " + Integer.toUnsignedString(length) + " bytes; allowed: 0 to " + MAX_FRAME);
        }
        byte[] frame = in.readNBytes(length);
        if (frame.length < length) {
            throw new EOFException("it ended the connection within a frame");
        }
        if (cipher == null) {
            return frame;
        }
        byte[] opened = new byte[length - overhead];
        if (!cipher.next(lengthOf(frame), ByteBuffer.wrap(frame), ByteBuffer.wrap(opened))) {
            throw new HandshakeException(
                    "a frame of " + length + " bytes was changed, left out or repeated on its way");
        }
        return opened;
    }

    /**
     * Waits until a frame begins, no longer than the read timeout. If none does, no data is lost.
     *
     * @return whether one has begun
     * @throws EOFException if the peer has ended the connection
     */
    public boolean awaitFrame() throws IOException {
        in.mark(1);
        try {
            if (in.read() < 0) {
                throw new EOFException("it ended the connection");
            }
        } catch (SocketTimeoutException _) {
            return false;
        }
        in.reset();
        return true;
    }

    /** Sets the read timeout: a read that waits longer fails; 0 for no timeout. */
    public void readTimeout(Duration limit) throws SocketException {
        raw.setSoTimeout((int) Math.min(Integer.MAX_VALUE, limit.toMillis()));
    }

    /** Returns this end's address. */
    public InetAddress localAddress() {
        return raw.getLocalAddress();
    }

    /** Returns the peer's address, as this end sees it. */
    public InetAddress remoteAddress() {
        return raw.getInetAddress();
    }

    /** Ends the connection at once; threads that read or write get an exception. Idempotent. */
    @Override
    public void close() {
        closeQuietly(raw);
    }

    /**
     * Returns whether no process between the ends can read or change frames: they are sealed, or travel through TLS.
     */
    public boolean isProtected() {
        return sealing != null || secured instanceof SSLSocket;
    }

    @Override
    public String toString() {
        return secured.toString();
    }

    /** Closes an object that is not used again. A failure to close it has no consequence. */
    public static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // a socket that does not close cannot be helped, and is not used again
        }
    }
}
