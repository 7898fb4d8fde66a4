package org.mscclj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import org.jspecify.annotations.Nullable;

/**
 * One of the streams that share a link, as if it were a socket of its own: in order, in both directions, and with a
 * window, so that one whose receiver has no room does not hold up the others. Reading, opening and closing belong to
 * the loop's thread; what is written belongs to the {@link LinkWriter}, under its monitor.
 */
final class LinkStream implements LaneChannel, Readiness {
    /** Bytes before the position of what is written, which the stream overwrites with its header. */
    static final int HEADROOM = 16;

    /** What is kept free for the end of a stream. */
    private static final int RESERVE = LinkRecord.FIRST_WINDOW / 2;

    /** Most bytes that are kept: what may be in flight. */
    private static final int MOST_KEPT = LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW;

    /** What is kept of {@link #kept} while it is empty, so that streams which often need some do not allocate it. */
    private static final int MOST_UNUSED = 2 * LinkRecord.MOST;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Link link;
    private final LinkReader reader;
    private final LinkWriter writer;
    private final int id;
    private final Runnable nextTurn = this::dispatch;
    private EventLoop.@Nullable Handler handler;

    // Receiving; by the loop's thread.

    /** What came while there was no room above; ready to be read from. */
    private ByteBuffer kept = NOTHING;

    /** The same bytes, ready to be written to. */
    private ByteBuffer keeping = NOTHING;

    /** Bytes that were read. */
    private long total;

    /** Bytes that the peer may still send. */
    private int granted = LinkRecord.FIRST_WINDOW;

    /** Bytes that were taken, and of which the peer has not been told. */
    private int taken;

    /** Whether the peer sends no more. */
    private boolean ended;

    /** Whether that has been read. */
    private boolean endRead;

    private boolean closed;

    // Sending; under the writer's monitor.

    private int allowance = LinkRecord.FIRST_WINDOW;
    private boolean urgent = true;
    private boolean writes;
    private boolean queued;

    /** Whether the handler is called because it may write. */
    private boolean writable;

    LinkStream(Link link, LinkReader reader, LinkWriter writer, int id) {
        this.link = link;
        this.reader = reader;
        this.writer = writer;
        this.id = id;
    }

    int id() {
        return id;
    }

    Link link() {
        return link;
    }

    /** From now on this handler is told that something has come, can be sent, or has failed. */
    void attach(EventLoop.Handler to) {
        handler = to;
    }

    /** Its ends know each other: from now on it waits for its turn, and much may be in flight. */
    void open() {
        granted += LinkRecord.WINDOW;
        writer.open(this);
    }

    // Receiving.

    @Override
    public int read(ByteBuffer to) throws IOException {
        if (kept.hasRemaining()) {
            int count = Math.min(to.remaining(), kept.remaining());
            to.put(to.position(), kept, kept.position(), count);
            to.position(to.position() + count);
            kept.position(kept.position() + count);
            if (!kept.hasRemaining() && kept.capacity() > MOST_UNUSED) {
                kept = NOTHING;
                keeping = NOTHING;
            }
            took(count);
            return count;
        }
        int count = reader.take(this, to);
        if (count > 0) {
            took(count);
        } else if (ended) {
            endRead = true;
            return -1;
        }
        return count;
    }

    private void took(int bytes) {
        total += bytes;
        taken += bytes;
        if (taken >= LinkRecord.WINDOW / 2 && !ended) {
            granted += taken;
            writer.control(LinkRecord.CREDIT, id, taken);
            taken = 0;
        }
    }

    /** Whether the peer may send so many bytes. */
    boolean allows(int bytes) {
        return bytes <= granted && !ended;
    }

    /** So many bytes are on their way. */
    void announce(int bytes) {
        granted -= bytes;
    }

    /** Room for bytes that the handler does not take now; ready to be written to, see {@link #kept(int)}. */
    ByteBuffer room(int bytes) {
        if (kept.capacity() - kept.limit() < bytes) {
            int all = kept.remaining() + bytes;
            if (all <= kept.capacity()) {
                kept.compact().flip();
            } else {
                kept = ByteBuffer.allocate(Math.min(2 * all, MOST_KEPT))
                        .put(kept)
                        .flip();
                keeping = kept.duplicate();
            }
        }
        return keeping.limit(kept.limit() + bytes).position(kept.limit());
    }

    /** So many bytes have been put where {@link #room} said. */
    void kept(int bytes) {
        kept.limit(kept.limit() + bytes);
    }

    /** How many bytes were read in all. */
    long total() {
        return total;
    }

    @Override
    public boolean holdsReceived() {
        return kept.hasRemaining();
    }

    /** The handler has room again, or none; by the loop's thread. */
    void reads(boolean more) {
        if (more && !closed && (kept.hasRemaining() || (ended && !endRead))) {
            link.later(nextTurn);
        }
    }

    /** The peer sends no more. */
    void end() {
        if (!ended) {
            ended = true;
            dispatch();
        }
    }

    boolean isEnded() {
        return ended;
    }

    boolean isClosed() {
        return closed;
    }

    /** Something has come. */
    void dispatch() {
        EventLoop.Handler told = handler;
        if (told == null || closed) {
            return;
        }
        try {
            told.ready();
        } catch (CancelledKeyException e) {
            // closed by what was handled before it
        } catch (IOException | RuntimeException e) {
            told.failed(e);
        }
    }

    void failed(Exception e) {
        EventLoop.Handler told = handler;
        if (told != null && !closed) {
            told.failed(e);
        }
    }

    // Sending.

    @Override
    public int write(ByteBuffer from) {
        return writer.write(this, from);
    }

    @Override
    public boolean wantsWrite(boolean dataWaits) {
        return dataWaits;
    }

    @Override
    public void writes(boolean also) {
        writer.writes(this, also);
    }

    /** What is written from now on is the end, and goes in front of what other streams have. */
    void hurry() {
        writer.hurry(this);
    }

    /** Whether the handler is called because it may write. */
    boolean isWritable() {
        return writable;
    }

    /** It is this stream's turn. By the loop's thread. */
    void turn() {
        writable = true;
        try {
            dispatch();
        } finally {
            writable = false;
        }
    }

    @Override
    public byte[] channel() throws IOException {
        return link.channel();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            kept = NOTHING;
            keeping = NOTHING;
            link.close(this);
        }
    }

    // Under the writer's monitor.

    /** How many bytes it may send now. */
    int allowance() {
        return urgent ? allowance : allowance - RESERVE;
    }

    boolean isUrgent() {
        return urgent;
    }

    void urgent(boolean now) {
        urgent = now;
    }

    void spend(int bytes) {
        allowance -= bytes;
    }

    /** The peer has room for more; false if that cannot be. */
    boolean credit(int bytes) {
        if (bytes < 0 || bytes > LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW - allowance) {
            return false;
        }
        allowance += bytes;
        return true;
    }

    /** Whether it has something that it may send, and waits for its turn to do so. */
    boolean wantsTurn() {
        return writes && allowance() > 0;
    }

    void wants(boolean turn) {
        writes = turn;
    }

    boolean isQueued() {
        return queued;
    }

    void queued(boolean now) {
        queued = now;
    }
}
