package org.mscclj.transport.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a link receives, cut into records, whose bytes are taken by their streams. Used by the loop's thread. */
final class LinkReader {
    /** Room for many small records with their headers. */
    private static final int AHEAD = 128 * 1024;

    /** A record from this size on is read where it belongs, and so are probably the next ones. */
    private static final int LARGE = 64 * 1024;

    /** What is read with the header of a record that is probably large. */
    private static final int LITTLE = 1024;

    /** Records that are taken before other sockets get their turn. */
    private static final int TURNS = 16;

    /** Times that a socket is read before it is given up: a peer that sends on must not hold up the loop. */
    private static final int DISCARDS = 64;

    private final EventLoop loop;
    private final Link link;
    private final LaneChannel channel;
    private final Arena arena = Arena.ofShared();
    private final Runnable nextTurn = this::goOn;

    /** Bytes that have come and were not looked at; ready to be read from. */
    private final ByteBuffer ahead = arena.allocate(AHEAD).asByteBuffer().flip();

    /** The stream of the bytes that come next, if any are {@link #left}. */
    private @Nullable LinkStream current;

    /** How many of them. */
    private int left;

    /** How many the last record had that was begun here. */
    private int last;

    /** Whether the socket had nothing when it was read last. */
    private boolean dry;

    /** Whether it goes on receiving in the loop's next round, whatever the selector says. */
    private boolean hasTurn;

    LinkReader(EventLoop loop, Link link, LaneChannel channel) {
        this.loop = loop;
        this.link = link;
        this.channel = channel;
    }

    /** The socket has something. */
    void ready() throws IOException {
        if (!hasTurn) {
            receive();
        }
    }

    /** Takes what has come; also what {@link #channel} holds, of which the socket does not tell. */
    private void receive() throws IOException {
        int turn = 0;
        while (turn < TURNS && receiveOnce()) {
            turn++; // what was received is taken by its stream
        }
        if (turn == TURNS && !link.isOver() && !hasTurn && holdsReceived()) {
            hasTurn = true;
            loop.later(nextTurn);
        }
    }

    /** Whether there is something of which the selector does not tell. */
    private boolean holdsReceived() {
        return ahead.remaining() >= LinkRecord.HEADER || (left > 0 && ahead.hasRemaining()) || channel.holdsReceived();
    }

    /** Takes what has come, of which the selector does not tell. */
    void goOn() {
        hasTurn = false;
        try {
            receive();
        } catch (IOException | RuntimeException e) {
            link.failed(e);
        }
    }

    /** Takes what the socket has still received, now that it cannot be written to any more. */
    void receiveRest() throws IOException {
        for (int turn = 0; turn < DISCARDS && receiveOnce(); turn++) {
            receive();
        }
    }

    /** Takes a record, or the rest of one; false if there is none. */
    private boolean receiveOnce() throws IOException {
        dry = false;
        if (link.isOver()) {
            return false;
        }
        if (left > 0) {
            deliver();
            return !dry;
        }
        if (ahead.remaining() < LinkRecord.HEADER) {
            ahead.compact();
            if (last >= LARGE) {
                ahead.limit(LITTLE);
            }
            int read = channel.read(ahead);
            ahead.flip();
            if (read < 0) {
                link.end();
                return false;
            }
            if (ahead.remaining() < LinkRecord.HEADER) {
                return read > 0;
            }
        }
        int at = ahead.position();
        ahead.position(at + LinkRecord.HEADER);
        link.take(
                ahead.getInt(at + LinkRecord.KIND),
                ahead.getInt(at + LinkRecord.STREAM),
                ahead.getInt(at + LinkRecord.NUMBER));
        return !dry;
    }

    /** Bytes of a stream come next. */
    void begin(LinkStream stream, int number) throws IOException {
        current = stream;
        left = number;
        last = number;
        deliver();
    }

    /** Has bytes taken by their stream; what it has no room for is kept, up to its window. */
    private void deliver() throws IOException {
        while (left > 0 && !dry && !link.isOver()) {
            LinkStream stream = current;
            if (stream == null || stream.isClosed()) {
                skip();
                continue;
            }
            long before = stream.total();
            stream.dispatch();
            if (stream.total() == before && !dry && !link.isOver() && !stream.isClosed()) {
                keep(stream);
            }
        }
    }

    private void keep(LinkStream stream) throws IOException {
        stream.kept(read(stream.room(left)));
    }

    /** Drops bytes of a stream that this side has closed. */
    private void skip() throws IOException {
        if (!ahead.hasRemaining()) {
            ahead.clear();
            int read = channel.read(ahead);
            ahead.flip();
            dry = read <= 0;
            if (read < 0) {
                link.end();
            }
        }
        int count = Math.min(left, ahead.remaining());
        ahead.position(ahead.position() + count);
        left -= count;
    }

    /** Bytes of a stream that are there now; none if others come first. */
    int take(LinkStream stream, ByteBuffer to) throws IOException {
        return stream == current && left > 0 && !link.isOver() ? read(to) : 0;
    }

    /** Reads bytes of the current stream; across records, as long as these have come and are its own. */
    private int read(ByteBuffer to) throws IOException {
        int before = to.position();
        while (left > 0 && to.hasRemaining() && ahead.hasRemaining()) {
            int count = Math.min(Math.min(left, to.remaining()), ahead.remaining());
            to.put(to.position(), ahead, ahead.position(), count);
            to.position(to.position() + count);
            ahead.position(ahead.position() + count);
            left -= count;
            if (left == 0) {
                nextRecord();
            }
        }
        int copied = to.position() - before;
        return copied > 0 || left == 0 || !to.hasRemaining() ? copied : readSocket(to);
    }

    /** Goes on with the next record, if it has come and is of the same stream. What is wrong with it is found later. */
    private void nextRecord() {
        LinkStream stream = current;
        int at = ahead.position();
        if (stream != null
                && ahead.remaining() >= LinkRecord.HEADER
                && ahead.getInt(at + LinkRecord.KIND) == LinkRecord.DATA
                && ahead.getInt(at + LinkRecord.STREAM) == stream.id()) {
            int number = ahead.getInt(at + LinkRecord.NUMBER);
            if (number > 0 && number <= LinkRecord.MOST && stream.allows(number)) {
                stream.announce(number);
                ahead.position(at + LinkRecord.HEADER);
                left = number;
            }
        }
    }

    private int readSocket(ByteBuffer to) throws IOException {
        int limit = to.limit();
        to.limit(to.position() + Math.min(left, to.remaining()));
        int count = channel.read(to);
        to.limit(limit);
        dry = count <= 0;
        if (count < 0) {
            loop.later(link::end); // not now: a stream of this link is reading
            return 0;
        }
        left -= count;
        return count;
    }

    // Ending.

    /** Drops what has come, as far as usual sockets hold. */
    void discard() {
        try {
            for (int read = 1, turn = 0; read > 0 && turn < DISCARDS; turn++) {
                ahead.clear();
                read = channel.read(ahead);
            }
        } catch (IOException _) {
            // the peer has gone already
        }
    }

    /** Frees the buffer. */
    void close() {
        arena.close();
    }
}
