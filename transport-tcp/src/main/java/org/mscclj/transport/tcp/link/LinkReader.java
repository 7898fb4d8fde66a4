package org.mscclj.transport.tcp.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.loop.EventLoop;

/**
 * The receiving side of a link: splits the received bytes into records and passes their payload to the streams. Only
 * the loop's thread uses it.
 */
final class LinkReader {
    /** Size of the buffer, in bytes: many small records with their headers. */
    private static final int AHEAD = 128 * 1024;

    /**
     * A record of at least this size, in bytes, is read straight into its stream, and probably the next records are.
     */
    private static final int LARGE = 64 * 1024;

    /** Bytes that are read with the header of a record that is probably large. */
    private static final int LITTLE = 1024;

    /** Number of records before other sockets are served. */
    private static final int TURNS = 16;

    /** Number of reads before a failed socket is closed: a peer that goes on sending must not block the loop. */
    private static final int DISCARDS = 64;

    private final EventLoop loop;
    private final ProcessLink link;
    private final LaneChannel channel;
    private final Arena arena = Arena.ofShared();
    private final Runnable nextTurn = this::goOn;

    /** Received bytes that are not processed yet; ready to be read from. */
    private final ByteBuffer ahead = arena.allocate(AHEAD).asByteBuffer().flip();

    /** The stream of the next bytes, while some are {@link #left}. */
    private @Nullable LinkStream current;

    /** Bytes of the current record that are still to come. */
    private int left;

    /** Payload size of the last record that was started here, in bytes. */
    private int last;

    /** Whether the last read of the socket returned nothing. */
    private boolean dry;

    /** Whether it continues in the loop's next round, without an event of the selector. */
    private boolean hasTurn;

    LinkReader(EventLoop loop, ProcessLink link, LaneChannel channel) {
        this.loop = loop;
        this.link = link;
        this.channel = channel;
    }

    /** Called when the socket is readable. */
    void ready() throws IOException {
        if (!hasTurn) {
            receive();
        }
    }

    /** Receives from the socket, and from {@link #channel}, whose buffered bytes the selector does not report. */
    private void receive() throws IOException {
        int turn = 0;
        while (turn < TURNS && receiveOnce()) {
            turn++; // the stream takes the received bytes
        }
        if (turn == TURNS && !link.isOver() && !hasTurn && holdsReceived()) {
            hasTurn = true;
            loop.later(nextTurn);
        }
    }

    /** Whether there are bytes that the selector does not report. */
    private boolean holdsReceived() {
        return ahead.remaining() >= LinkRecord.HEADER || (left > 0 && ahead.hasRemaining()) || channel.holdsReceived();
    }

    /** Processes bytes that the selector does not report. */
    void goOn() {
        hasTurn = false;
        try {
            receive();
        } catch (IOException | RuntimeException e) {
            link.failed(e);
        }
    }

    /** Processes the bytes that the socket received before it became unwritable. */
    void receiveRest() throws IOException {
        for (int turn = 0; turn < DISCARDS && receiveOnce(); turn++) {
            receive();
        }
    }

    /** Processes a record, or the rest of one; false if there is none. */
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

    /** Starts a record with bytes of a stream. */
    void begin(LinkStream stream, int number) throws IOException {
        current = stream;
        left = number;
        last = number;
        deliver();
    }

    /** Passes bytes to their stream. The stream keeps what its handler does not take, up to its window. */
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
        stream.kept(read(stream.spare(left)));
    }

    /** Discards bytes of a stream that this side has closed. */
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

    /** Returns the number of bytes of a stream that are available now; 0 if bytes of other streams come first. */
    int take(LinkStream stream, ByteBuffer to) throws IOException {
        return stream == current && left > 0 && !link.isOver() ? read(to) : 0;
    }

    /** Reads bytes of the current stream, across records as long as the next record has arrived and belongs to it. */
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

    /**
     * Continues with the next record, if it has arrived and belongs to the same stream. A later step checks whether it
     * is valid.
     */
    private void nextRecord() {
        LinkStream stream = current;
        int at = ahead.position();
        if (stream != null
                && ahead.remaining() >= LinkRecord.HEADER
                && ahead.getInt(at + LinkRecord.KIND) == LinkRecord.DATA
                && ahead.getInt(at + LinkRecord.STREAM) == stream.id()) {
            int number = ahead.getInt(at + LinkRecord.NUMBER);
            if (number > 0 && number <= LinkRecord.MAX_DATA && stream.allows(number)) {
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

    /** Discards received bytes, as many as sockets usually buffer. */
    void discard() {
        try {
            for (int read = 1, turn = 0; read > 0 && turn < DISCARDS; turn++) {
                ahead.clear();
                read = channel.read(ahead);
            }
        } catch (IOException _) {
            // the peer has closed already
        }
    }

    /** Frees the buffer. */
    void close() {
        arena.close();
    }
}
