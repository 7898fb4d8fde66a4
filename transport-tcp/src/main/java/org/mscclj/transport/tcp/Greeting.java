package org.mscclj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose ends have not proved who they are. Each side sends messages of fixed size and reads no byte more than
 * the next one has. Used by the loop's thread alone.
 */
abstract class Greeting implements EventLoop.Handler, EventLoop.Timed {
    private final EventLoop loop;
    private final SocketChannel socket;
    private final long deadline;
    private @Nullable SelectionKey key;
    private @Nullable LaneChannel channel;
    private ByteBuffer in = ByteBuffer.allocate(0);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private @Nullable Keys keys;
    private boolean over;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Keys(byte[] sending, byte[] receiving) {}

    Greeting(EventLoop loop, SocketChannel socket, long nanos) {
        this.loop = loop;
        this.socket = socket;
        this.deadline = System.nanoTime() + nanos;
    }

    /** Starts; {@code interests} is what the socket is waited for. */
    final void begin(int interests) throws IOException {
        key = loop.register(socket, interests, this);
        loop.watch(this);
    }

    /** The socket is connected: messages may be sent. */
    final void connected(LaneChannel over) {
        channel = over;
    }

    /** See {@link LaneChannel#channel}. */
    final byte[] channel() throws IOException {
        LaneChannel lane = channel;
        return lane == null ? new byte[0] : lane.channel();
    }

    /** Whether this process wants what follows the greeting to be sealed. */
    final boolean wantsSeal() {
        TcpSettings settings = loop.settings();
        return settings.tls().isEmpty()
                && settings.protection()
                        .seals(
                                socket.socket().getLocalAddress(),
                                socket.socket().getInetAddress());
    }

    /** What follows the greeting is sealed, once {@link #finish} has sent its end. */
    final void seal(byte[] sending, byte[] receiving) {
        keys = new Keys(sending, receiving);
    }

    final SocketChannel socket() {
        return socket;
    }

    final void send(ByteBuffer message) {
        out = message;
    }

    /** The size of the next message; {@link #received} is called with it. */
    final void expect(int bytes) {
        in = ByteBuffer.allocate(bytes);
    }

    /** The expected message is here. */
    abstract void received(ByteBuffer message) throws IOException;

    @Override
    public void ready() throws IOException {
        LaneChannel lane = channel;
        if (lane == null) {
            throw new IOException("the socket is not connected");
        }
        boolean moved = true;
        while (moved && !over) {
            moved = out.hasRemaining() && lane.write(out) > 0;
            int read = in.hasRemaining() ? lane.read(in) : 0;
            if (read < 0) {
                throw new EOFException("closed by the other side");
            }
            moved |= read > 0;
            if (read > 0 && !in.hasRemaining()) {
                received(in.flip());
            }
        }
        SelectionKey own = key;
        if (!over && own != null) {
            boolean writes = lane.wantsWrite(out.hasRemaining());
            own.interestOps(SelectionKey.OP_READ | (writes ? SelectionKey.OP_WRITE : 0));
        }
    }

    /** Hands the socket over to a connection, after what was to be sent. */
    final void finish(TcpConnection connection, int index) throws IOException {
        LaneChannel lane = channel;
        SelectionKey own = key;
        if (lane == null || own == null) {
            throw new IOException("the socket is not connected");
        }
        while (out.hasRemaining()) {
            if (lane.write(out) == 0) {
                throw new IOException("a few bytes could not be sent at once");
            }
        }
        end();
        Keys agreed = keys;
        connection.attach(
                index, agreed == null ? lane : new SealedChannel(lane, agreed.sending(), agreed.receiving()), own);
    }

    /** Ends the greeting without closing the socket. */
    private void end() {
        over = true;
        loop.unwatch(this);
        ended();
    }

    /** The greeting is over. */
    abstract void ended();

    /** Refuses or gives up. */
    void give(String reason) {
        if (!over) {
            end();
            LaneChannel lane = channel;
            if (lane != null) {
                Sockets.closeQuietly(lane);
            }
            Sockets.closeQuietly(socket);
        }
    }

    @Override
    public void failed(Exception e) {
        give(String.valueOf(e.getMessage()));
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void expired() {
        give("nothing came for too long");
    }
}
