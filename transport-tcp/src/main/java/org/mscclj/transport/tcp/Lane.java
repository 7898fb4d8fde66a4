package org.mscclj.transport.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * One stream of a connection, with room for a few frames each way. What is received belongs to the loop's thread; what
 * is sent, to whoever holds the connection's lock.
 */
final class Lane implements EventLoop.Handler {
    /** Room for a few frames; whole words, so that what is moved to the front stays aligned. */
    private static final int BUFFER = 4 * (Frame.HEADER + Frame.MOST_PAYLOAD);

    /** What is sent lies behind the room for the stream's header. */
    private static final int BUFFER_END = LinkStream.HEADROOM + BUFFER;

    /** Times that a lane reads before other sockets get their turn. */
    private static final int TURNS = 8;

    private final TcpConnection connection;
    private final Incoming incoming;
    private final LaneChannel channel;
    private final LinkStream stream;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment inBytes = arena.allocate(BUFFER, Long.BYTES);
    private final MemorySegment outBytes = arena.allocate(BUFFER_END, Long.BYTES);
    private final ByteBuffer in = inBytes.asByteBuffer();
    private final ByteBuffer out = outBytes.asByteBuffer();

    /** What is not sent yet is from {@code sent} to {@code filled}. */
    private int sent = LinkStream.HEADROOM;

    private int filled = LinkStream.HEADROOM;

    /** Whether the next frame has to wait for other lanes. */
    private boolean stalled;

    /** Whether the peer has closed in good order. */
    private boolean goodbye;

    /** Whether the peer sends no more; what it sent may still wait for other lanes. */
    private boolean ended;

    /** Whether what was received left no room for more. */
    private boolean full;

    /** Whether the socket is worth waiting for to be sent to; under the connection's lock. */
    private boolean sends = true;

    private boolean endReported;

    Lane(TcpConnection connection, Incoming incoming, LaneChannel channel, LinkStream stream) {
        this.connection = connection;
        this.incoming = incoming;
        this.channel = channel;
        this.stream = stream;
        stream.attach(this);
        stream.open();
    }

    // Receiving.

    @Override
    public void ready() throws IOException {
        if (stream.isWritable()) {
            connection.pump();
        } else {
            receive();
        }
    }

    /** Takes what has come; also what {@link #channel} holds, of which the socket does not tell. */
    void receive() throws IOException {
        // Other sockets get their turn, but the selector does not tell of what the channel holds.
        for (int turn = 0; (turn < TURNS || channel.holdsReceived()) && receiveOnce(); turn++) {
            // what was received is taken by the connection
        }
        received();
    }

    private boolean receiveOnce() throws IOException {
        if (ended || !in.hasRemaining()) {
            return false;
        }
        int read = channel.read(in);
        ended |= read < 0;
        if (read != 0) {
            incoming.process();
        }
        return read > 0;
    }

    /**
     * Receives on if there was no room before: first what {@link #channel} holds, and the rest when the loop comes
     * back.
     */
    void resume() throws IOException {
        if (full) {
            while (channel.holdsReceived() && in.hasRemaining()) {
                channel.read(in);
            }
            received();
        }
    }

    private void received() {
        full = !in.hasRemaining();
        connection.received(this, !full && !ended);
    }

    /** Whether more can be received. */
    void reads(boolean more) {
        stream.reads(more);
    }

    /** Tells the connection, once, that the peer has closed this lane and everything that came before is taken. */
    void reportEnd() {
        if (ended && !stalled && !endReported) {
            endReported = true;
            connection.ended(goodbye);
        }
    }

    /** Takes what was received, as far as it may be taken now; whether there was anything. */
    boolean process() {
        int at = 0;
        int end = in.position();
        boolean moved = false;
        stalled = false;
        while (end - at >= Frame.HEADER) {
            if (goodbye) {
                connection.refuse(this, "a frame after its goodbye");
                return false;
            }
            int length = in.getInt(at + Frame.LENGTH);
            if (length < 0 || length > Frame.MOST_PAYLOAD) {
                connection.refuse(this, "a frame of " + length + " bytes");
                return false;
            }
            int size = Frame.HEADER + Frame.padded(length);
            if (end - at < size) {
                break;
            }
            if (!incoming.mayTake(in, at)) {
                stalled = true;
                break;
            }
            if (!incoming.take(this, in, inBytes, at, length)) {
                return false;
            }
            at += size;
            moved = true;
        }
        if (at > 0) {
            in.limit(end).position(at);
            in.compact();
        }
        return moved;
    }

    /** The peer has said that nothing follows; so how its socket ends does not matter. */
    void goodbye() {
        goodbye = true;
        ended = true;
    }

    @Override
    public void failed(Exception e) {
        if (!ended) { // or else everything has come
            connection.broke(e);
        }
    }

    // Sending; under the connection's lock.

    /** Whether a frame with so much payload fits. */
    boolean hasRoom(int length) {
        if (sent == filled) {
            sent = LinkStream.HEADROOM;
            filled = LinkStream.HEADROOM;
        }
        return BUFFER_END - filled >= Frame.HEADER + Frame.padded(length);
    }

    /** Adds a frame's header; the payload, if there is one, goes where {@link #payload} says before that. */
    void put(byte type, int length, long position, long memory, long offset, long total) {
        out.clear();
        out.putInt(filled + Frame.TYPE, type << 24);
        out.putInt(filled + Frame.LENGTH, length);
        out.putLong(filled + Frame.POSITION, position);
        out.putLong(filled + Frame.MEMORY, memory);
        out.putLong(filled + Frame.OFFSET, offset);
        out.putLong(filled + Frame.TOTAL, total);
        filled += Frame.HEADER + Frame.padded(length);
    }

    /** Where the next frame's payload goes in {@link #outgoing}. */
    int payload() {
        return filled + Frame.HEADER;
    }

    MemorySegment outgoing() {
        return outBytes;
    }

    /** Sends what the socket takes; whether it took anything. */
    boolean send() throws IOException {
        if (sent == filled && !channel.wantsWrite(false)) {
            return false;
        }
        out.limit(filled).position(sent);
        int written = channel.write(out);
        sent += written;
        return written > 0;
    }

    /** Says that this side closes in good order, as far as that can be said without waiting. */
    void sayGoodbye(long posted) {
        if (hasRoom(0)) {
            put(Frame.GOODBYE, 0, posted, 0, 0, 0);
            hurry();
            try {
                send();
            } catch (IOException e) {
                return; // the peer has gone already
            }
        }
    }

    /** What is sent next is the last, and does not wait for other connections. */
    void hurry() {
        stream.hurry();
    }

    /** Waits for another turn to send, if there is something. */
    void updateInterest() {
        stream.writes(sends && channel.wantsWrite(sent < filled));
    }

    void stopSending() {
        sends = false;
        updateInterest();
    }

    /** Ends the stream and frees the buffers; by the loop's thread, which owns what is received, under the lock. */
    void close() {
        Sockets.closeQuietly(channel);
        arena.close();
    }
}
