package org.mscclj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What two ends say before they have proved who they are, on a socket or on a stream of a link. Each side sends
 * messages of fixed size and reads no byte more than the next one has. Used by the loop's thread alone.
 */
abstract class Greeting implements EventLoop.Handler, EventLoop.Timed {
    private final EventLoop loop;
    private final long deadline;
    private @Nullable LaneChannel channel;
    private @Nullable Readiness readiness;
    private ByteBuffer in = ByteBuffer.allocate(0);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private boolean over;

    Greeting(EventLoop loop, long nanos) {
        this.loop = loop;
        this.deadline = System.nanoTime() + nanos;
    }

    final EventLoop loop() {
        return loop;
    }

    /** Starts the time that it may take. */
    final void begin() {
        loop.watch(this);
    }

    /** Messages may be sent. */
    final void connected(LaneChannel with, Readiness told) {
        channel = with;
        readiness = told;
    }

    /** What carries the messages. */
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

    /** The size of the next message; {@link #received} is called with it. */
    final void expect(int bytes) {
        in = ByteBuffer.allocate(bytes);
    }

    /** The expected message is here. */
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
        Readiness told = readiness;
        if (!over && told != null) {
            told.writes(carrier.wantsWrite(out.hasRemaining()));
        }
    }

    /** Ends the greeting, after what was to be sent; the channel belongs to its next user from now on. */
    final void finish() throws IOException {
        while (out.hasRemaining()) {
            if (channel().write(out) == 0) {
                throw new IOException("a few bytes could not be sent at once");
            }
        }
        end();
    }

    private void end() {
        over = true;
        loop.unwatch(this);
        ended();
    }

    /** The greeting is over. */
    abstract void ended();

    /** Ends the channel, whether it was connected or not. */
    abstract void close();

    /** Refuses or gives up. */
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
        give("nothing came for too long");
    }
}
