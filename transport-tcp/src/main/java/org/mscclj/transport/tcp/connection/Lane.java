package org.mscclj.transport.tcp.connection;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.link.LinkStream;
import org.mscclj.transport.tcp.loop.EventLoop;
import org.mscclj.transport.tcp.loop.Sockets;

/**
 * One of the byte streams of a connection, with a buffer of a few frames in each direction. The receiving half belongs
 * to the loop's thread; the sending half is guarded by the connection's lock.
 */
final class Lane implements EventLoop.Handler {
    /**
     * Size of a buffer, in bytes: a few frames, and whole words, so that bytes that are moved to the front stay
     * aligned.
     */
    private static final int BUFFER = 4 * (Frame.HEADER + Frame.MAX_PAYLOAD);

    /** Frames lie behind the space that the stream needs for its header. */
    private static final int BUFFER_END = LaneChannel.HEADROOM + BUFFER;

    /** Number of reads before other sockets are served. */
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

    /** The bytes from {@code sent} to {@code filled} are not sent yet. */
    private int sent = LaneChannel.HEADROOM;

    private int filled = LaneChannel.HEADROOM;

    /** Whether the next frame waits for operations of other lanes. */
    private boolean stalled;

    /** Whether the peer has closed normally. */
    private boolean goodbye;

    /** Whether the peer has stopped sending; frames that have arrived may still wait for other lanes. */
    private boolean ended;

    /** Whether the receive buffer is full. */
    private boolean full;

    /** Whether the lane waits until the socket is writable. Guarded by the connection's lock. */
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

    /** Receives from the socket, and from {@link #channel}, whose buffered bytes the selector does not report. */
    void receive() throws IOException {
        // Other sockets are served first; the selector does not report the bytes that the channel holds.
        for (int turn = 0; (turn < TURNS || channel.holdsReceived()) && receiveOnce(); turn++) {
            // the connection takes the received frames
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
     * Continues to receive after the buffer was full: first what {@link #channel} holds, the rest in the loop's next
     * round.
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

    /** Sets whether the lane can receive more. */
    void reads(boolean more) {
        stream.reads(more);
    }

    /** Notifies the connection, once, that the peer has closed this lane and all earlier frames are taken. */
    void reportEnd() {
        if (ended && !stalled && !endReported) {
            endReported = true;
            connection.ended(goodbye);
        }
    }

    /** Takes the received frames whose turn it is; returns whether there was any. */
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
            if (length < 0 || length > Frame.MAX_PAYLOAD) {
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

    /** Called after the peer's goodbye: from now on it does not matter how the socket ends. */
    void goodbye() {
        goodbye = true;
        ended = true;
    }

    @Override
    public void failed(Exception e) {
        if (!ended) { // otherwise everything has arrived
            connection.broke(e);
        }
    }

    // Sending; under the connection's lock.

    /** Whether a frame with a payload of this size fits into the buffer. */
    boolean hasSpace(int length) {
        if (sent == filled) {
            sent = LaneChannel.HEADROOM;
            filled = LaneChannel.HEADROOM;
        }
        return BUFFER_END - filled >= Frame.HEADER + Frame.padded(length);
    }

    /** Adds the header of a frame. The caller writes the payload to {@link #payload} before. */
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

    /** Returns the offset of the next frame's payload in {@link #outgoing}. */
    int payload() {
        return filled + Frame.HEADER;
    }

    MemorySegment outgoing() {
        return outBytes;
    }

    /** Sends as much as the socket takes; returns whether it took anything. */
    boolean send() throws IOException {
        if (sent == filled && !channel.wantsWrite(false)) {
            return false;
        }
        out.limit(filled).position(sent);
        int written = channel.write(out);
        sent += written;
        return written > 0;
    }

    /** Sends a goodbye, if that is possible without waiting. */
    void sayGoodbye(long posted) {
        if (hasSpace(0)) {
            put(Frame.GOODBYE, 0, posted, 0, 0, 0);
            hurry();
            try {
                send();
            } catch (IOException e) {
                return; // the peer has closed already
            }
        }
    }

    /** Sends the reason for which this side aborts the connection, if that is possible without waiting. */
    void sendRefusal(String reason) throws IOException {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (hasSpace(text.length)) {
            MemorySegment.copy(MemorySegment.ofArray(text), 0, outBytes, payload(), text.length);
            put(Frame.REFUSE, text.length, 0, 0, 0, 0);
            hurry();
            send();
        }
    }

    /** Marks the next bytes as the last ones: they are sent ahead of other connections. */
    void hurry() {
        stream.hurry();
    }

    /** Asks for another turn to send, if there are unsent bytes. */
    void updateInterest() {
        stream.writes(sends && channel.wantsWrite(sent < filled));
    }

    void stopSending() {
        sends = false;
        updateInterest();
    }

    /**
     * Ends the stream and frees the buffers. Called by the loop's thread, which owns the receiving half, under the
     * lock.
     */
    void close() {
        Sockets.closeQuietly(channel);
        arena.close();
    }
}
