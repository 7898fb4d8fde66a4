package org.mscclj.transport.tcp.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A socket that is encrypted by TLS. Reading and writing also advance the handshake. Different threads may read and
 * write, so each takes the monitor.
 */
public final class TlsChannel implements LaneChannel {
    private static final String EXPORTER = "EXPORTER-mscclj-proof";
    private static final int EXPORTED_BYTES = 32;

    private final SocketChannel socket;
    private final SSLEngine engine;

    /** Received, still encrypted; ready to be written to. */
    private final ByteBuffer encryptedIn;

    /** Encrypted, not sent yet; ready to be read from. */
    private final ByteBuffer encryptedOut;

    /** Decrypted, not read yet; ready to be read from. */
    private final ByteBuffer plainIn;

    private boolean ended;

    public TlsChannel(SocketChannel socket, SSLEngine engine) throws IOException {
        this.socket = socket;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        // On the heap: unauthenticated sockets are frequent, and direct buffers are freed late.
        encryptedIn = ByteBuffer.allocate(2 * packet);
        encryptedOut = ByteBuffer.allocate(2 * packet).flip();
        plainIn = ByteBuffer.allocate(2 * engine.getSession().getApplicationBufferSize())
                .flip();
        engine.beginHandshake();
    }

    @Override
    public synchronized int read(ByteBuffer to) throws IOException {
        if (!plainIn.hasRemaining()) {
            advance();
            decrypt();
        }
        int count = Math.min(to.remaining(), plainIn.remaining());
        to.put(to.position(), plainIn, plainIn.position(), count);
        to.position(to.position() + count);
        plainIn.position(plainIn.position() + count);
        return count == 0 && ended ? -1 : count;
    }

    @Override
    public synchronized int write(ByteBuffer from) throws IOException {
        int start = from.position();
        advance();
        while (isOpen() && from.hasRemaining() && !encryptedOut.hasRemaining()) {
            encrypt(from);
            flush();
        }
        return from.position() - start;
    }

    @Override
    public synchronized boolean holdsReceived() {
        return plainIn.hasRemaining();
    }

    @Override
    public synchronized boolean wantsWrite(boolean dataWaits) {
        return encryptedOut.hasRemaining() || (dataWaits && isOpen());
    }

    @Override
    public synchronized byte[] channel() throws IOException {
        return engine.getSession() instanceof ExtendedSSLSession session
                ? session.exportKeyingMaterialData(EXPORTER, new byte[0], EXPORTED_BYTES)
                : new byte[0];
    }

    /** Whether the handshake is complete. */
    private boolean isOpen() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Advances the handshake as far as possible. */
    private void advance() throws IOException {
        boolean moved = true;
        while (moved) {
            flush();
            moved = switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> !encryptedOut.hasRemaining() && encrypt(ByteBuffer.allocate(0));
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> !plainIn.hasRemaining() && decrypt();
                case NEED_TASK -> {
                    engine.getDelegatedTask().run();
                    yield true;
                }
                case NOT_HANDSHAKING, FINISHED -> false;
            };
        }
        flush();
    }

    private void flush() throws IOException {
        if (encryptedOut.hasRemaining()) {
            int _ = socket.write(encryptedOut);
        }
    }

    private boolean encrypt(ByteBuffer from) throws IOException {
        encryptedOut.compact();
        SSLEngineResult result = engine.wrap(from, encryptedOut);
        encryptedOut.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new IOException("the TLS session has ended");
        }
        return result.bytesProduced() > 0;
    }

    /** Reads from the socket and decrypts; returns whether it made progress. */
    private boolean decrypt() throws IOException {
        int read = socket.read(encryptedIn);
        ended |= read < 0;
        boolean moved = false;
        plainIn.compact();
        encryptedIn.flip();
        try {
            SSLEngineResult result;
            do {
                result = engine.unwrap(encryptedIn, plainIn);
                moved |= result.bytesConsumed() > 0;
                ended |= result.getStatus() == SSLEngineResult.Status.CLOSED;
            } while (result.getStatus() == SSLEngineResult.Status.OK && result.bytesConsumed() > 0 && isOpen());
        } finally {
            encryptedIn.compact();
            plainIn.flip();
        }
        return moved;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
