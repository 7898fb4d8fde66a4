package org.mscclj.transport.tcp.greeting;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.Readiness;
import org.mscclj.transport.tcp.loop.EventLoop;

/**
 * The authentication of two endpoints to each other, on a socket or on a stream of a link. Each side sends messages of
 * fixed size, and reads no byte beyond the message that it expects. Only the loop's thread uses it.
 */
abstract class Greeting implements EventLoop.Handler, EventLoop.Timed {
    private final ProcessSockets sockets;
    private final EventLoop loop;
    private final long deadline;
    private @Nullable LaneChannel channel;
    private @Nullable Readiness readiness;
    private ByteBuffer in = ByteBuffer.allocate(0);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private boolean over;

    Greeting(ProcessSockets sockets, long nanos) {
        this.sockets = sockets;
        this.loop = sockets.loop();
        this.deadline = System.nanoTime() + nanos;
    }

    final ProcessSockets sockets() {
        return sockets;
    }

    /** Starts the time limit of the greeting. */
    final void begin() {
        loop.watch(this);
    }

    /** Called when messages can be sent. */
    final void connected(LaneChannel with, Readiness events) {
        channel = with;
        readiness = events;
    }

    /** The channel that carries the messages. */
    final LaneChannel channel() throws IOException {
        LaneChannel carrier = channel;
        if (carrier == null) {
            throw new IOException("the socket is not connected");
        }
        return carrier;
    }

    final void send(ByteBuffer message) {
        out = message;
    }

    /** Sets the size of the next message in bytes; {@link #received} is then called with the message. */
    final void expect(int bytes) {
        in = ByteBuffer.allocate(bytes);
    }

    /** Called with the expected message. */
    abstract void received(ByteBuffer message) throws IOException;

    @Override
    public void ready() throws IOException {
        LaneChannel carrier = channel();
        boolean moved = true;
        while (moved && !over) {
            moved = out.hasRemaining() && carrier.write(out) > 0;
            int read = in.hasRemaining() ? carrier.read(in) : 0;
            if (read < 0) {
                throw new EOFException("closed by the other side");
            }
            moved |= read > 0;
            if (read > 0 && !in.hasRemaining()) {
                received(in.flip());
            }
        }
        Readiness events = readiness;
        if (!over && events != null) {
            events.writes(carrier.wantsWrite(out.hasRemaining()));
        }
    }

    /** Ends the greeting when its last message is sent. From then on the channel belongs to its next user. */
    final void finish() throws IOException {
        while (out.hasRemaining()) {
            if (channel().write(out) == 0) {
                throw new IOException("the socket does not take the few bytes of a greeting");
            }
        }
        end();
    }

    private void end() {
        over = true;
        loop.unwatch(this);
        ended();
    }

    /** Called when the greeting has succeeded. */
    abstract void ended();

    /** Closes the channel, whether it was connected or not. */
    abstract void close();

    /** Rejects the other side, or gives up. */
    void give(String reason) {
        if (!over) {
            end();
            close();
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
        give("no message came within the time limit");
    }
}
