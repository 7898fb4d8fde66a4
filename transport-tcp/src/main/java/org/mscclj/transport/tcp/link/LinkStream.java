package org.mscclj.transport.tcp.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.Readiness;
import org.mscclj.transport.tcp.loop.EventLoop;

/**
 * One of the streams that share a link. It behaves like a socket: bytes arrive in order, in both directions, and a
 * window limits them, so that a stream whose receiver has no free buffer does not block the others. The loop's thread
 * reads, opens and closes; the {@link LinkWriter} owns the sending half, under its monitor.
 */
public final class LinkStream implements LaneChannel, Readiness {
    /** Bytes of the window that are reserved for the end of a stream. */
    private static final int RESERVE = LinkRecord.FIRST_WINDOW / 2;

    /** Maximum size of {@link #kept}, in bytes: the whole window. */
    private static final int MAX_KEPT = LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW;

    /**
     * Size up to which {@link #kept} stays allocated while it is empty, in bytes, so that a stream that often needs it
     * does not allocate.
     */
    private static final int MAX_UNUSED = 2 * LinkRecord.MAX_DATA;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ProcessLink link;
    private final LinkReader reader;
    private final LinkWriter writer;
    private final int id;
    private final Runnable nextTurn = this::dispatch;
    private EventLoop.@Nullable Handler handler;

    // Receiving; by the loop's thread.

    /** Received bytes that the handler has not taken; ready to be read from. */
    private ByteBuffer kept = NOTHING;

    /** The same bytes, ready to be written to. */
    private ByteBuffer keeping = NOTHING;

    /** Number of bytes that the handler has read. */
    private long total;

    /** Number of bytes that the peer may still send. */
    private int granted = LinkRecord.FIRST_WINDOW;

    /** Number of bytes that were read and for which the peer has no credit yet. */
    private int taken;

    /** Whether the peer has stopped sending. */
    private boolean ended;

    /** Whether the handler has seen the end. */
    private boolean endRead;

    private boolean closed;

    // Sending; under the writer's monitor.

    private int allowance = LinkRecord.FIRST_WINDOW;
    private boolean urgent = true;
    private boolean writes;
    private boolean queued;

    /** Whether the handler is being called because it may write. */
    private boolean writable;

    LinkStream(ProcessLink link, LinkReader reader, LinkWriter writer, int id) {
        this.link = link;
        this.reader = reader;
        this.writer = writer;
        this.id = id;
    }

    int id() {
        return id;
    }

    public ProcessLink link() {
        return link;
    }

    /**
     * Sets the handler of this stream: it is called when bytes have arrived, when it may write, and after a failure.
     */
    public void attach(EventLoop.Handler to) {
        handler = to;
    }

    /**
     * Called when both ends have authenticated each other: from now on the stream takes turns with others, and has its
     * full window.
     */
    public void open() {
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
            if (!kept.hasRemaining() && kept.capacity() > MAX_UNUSED) {
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

    /** Whether the window lets the peer send this many bytes. */
    boolean allows(int bytes) {
        return bytes <= granted && !ended;
    }

    /** Accounts for bytes that a record has announced. */
    void announce(int bytes) {
        granted -= bytes;
    }

    /**
     * Returns a buffer for bytes that the handler does not take now; ready to be written to, see {@link #kept(int)}.
     */
    public ByteBuffer spare(int bytes) {
        if (kept.capacity() - kept.limit() < bytes) {
            int all = kept.remaining() + bytes;
            if (all <= kept.capacity()) {
                kept.compact().flip();
            } else {
                kept = ByteBuffer.allocate(Math.min(2 * all, MAX_KEPT))
                        .put(kept)
                        .flip();
                keeping = kept.duplicate();
            }
        }
        return keeping.limit(kept.limit() + bytes).position(kept.limit());
    }

    /** Adds this many bytes, which the caller has written to the buffer that {@link #spare} has returned. */
    public void kept(int bytes) {
        kept.limit(kept.limit() + bytes);
    }

    /** Returns the total number of bytes that the handler has read. */
    long total() {
        return total;
    }

    @Override
    public boolean holdsReceived() {
        return kept.hasRemaining();
    }

    /**
     * Called when the handler has read; {@code more} is true if it can take further bytes. Called by the loop's thread.
     */
    public void reads(boolean more) {
        if (more && !closed && (kept.hasRemaining() || (ended && !endRead))) {
            link.later(nextTurn);
        }
    }

    /** Called when the peer has ended the stream. */
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

    /** Called when bytes have arrived. */
    public void dispatch() {
        EventLoop.Handler receiver = handler;
        if (receiver == null || closed) {
            return;
        }
        try {
            receiver.ready();
        } catch (CancelledKeyException e) {
            // closed by a handler that ran before
        } catch (IOException | RuntimeException e) {
            receiver.failed(e);
        }
    }

    void failed(Exception e) {
        EventLoop.Handler receiver = handler;
        if (receiver != null && !closed) {
            receiver.failed(e);
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

    /** Marks all further bytes as the end of the stream: they are sent ahead of other streams. */
    public void hurry() {
        writer.hurry(this);
    }

    /** Whether the handler is being called because it may write. */
    public boolean isWritable() {
        return writable;
    }

    /** Called when it is this stream's turn. Called by the loop's thread. */
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

    /** Returns the number of bytes that it may send now. */
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

    /** Adds the peer's credit; false if that exceeds the window. */
    boolean credit(int bytes) {
        if (bytes < 0 || bytes > LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW - allowance) {
            return false;
        }
        allowance += bytes;
        return true;
    }

    /** Whether it has bytes that it may send, and waits for its turn. */
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
