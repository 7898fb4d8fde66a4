package org.mscclj.transport.tcp.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.loop.EventLoop;

/**
 * The sending side of a link. A thread that writes to a stream sends at once, unless other streams wait for the socket;
 * then the streams take turns. Short control records go in front of them. Each method holds the monitor and calls no
 * handler meanwhile, so that it may be called under a connection's lock.
 */
final class LinkWriter {
    private static final int FIRST_CONTROL = 256;

    private final EventLoop loop;
    private final ProcessLink link;
    private final LaneChannel channel;
    private final SelectionKey key;
    private final Arena arena = Arena.ofShared();

    /** The rest of a record that the socket has taken in part; ready to be read from. */
    private final ByteBuffer rest = arena.allocate(LaneChannel.HEADROOM + (long) LinkRecord.MAX_DATA)
            .asByteBuffer()
            .flip();

    /** Whole records that follow {@link #rest}; ready to be read from. */
    private ByteBuffer control = ByteBuffer.allocate(FIRST_CONTROL).flip();

    /** The streams that wait for their turn. */
    private final Queue<LinkStream> queue = new ArrayDeque<>();

    /** The stream that has its turn. */
    private @Nullable LinkStream serving;

    /** Whether sending has ended. */
    private boolean over;

    LinkWriter(EventLoop loop, ProcessLink link, LaneChannel channel, SelectionKey key) {
        this.loop = loop;
        this.link = link;
        this.channel = channel;
        this.key = key;
    }

    /** Sends bytes of a stream, as many as the socket and the window take now; returns their number. */
    synchronized int write(LinkStream stream, ByteBuffer from) {
        int length = Math.min(Math.min(from.remaining(), LinkRecord.MAX_DATA), stream.allowance());
        if (over || length <= 0) {
            return 0;
        }
        if (stream.isUrgent()) {
            put(LinkRecord.DATA, stream.id(), length, length);
            control.put(control.limit() - length, from, from.position(), length);
            from.position(from.position() + length);
            stream.spend(length);
            flushAndAsk();
            return length;
        }
        if (!isIdle() || !isTurn(stream)) {
            return 0;
        }
        int start = from.position();
        int limit = from.limit();
        int header = start - LinkRecord.HEADER;
        from.putInt(header + LinkRecord.KIND, LinkRecord.DATA);
        from.putInt(header + LinkRecord.STREAM, stream.id());
        from.putInt(header + LinkRecord.NUMBER, length);
        from.limit(start + length).position(header);
        boolean sent = false;
        try {
            sent = channel.write(from) > 0;
        } catch (IOException e) {
            broke(e);
        }
        if (sent) {
            rest.clear().put(from).flip();
            stream.spend(length);
            if (!isSent()) {
                ask();
            }
        }
        from.limit(limit).position(sent ? start + length : start);
        return sent ? length : 0;
    }

    /** Whether the socket has taken everything: a channel that encrypts may still hold bytes. */
    private boolean isSent() {
        return isIdle() && !channel.wantsWrite(false);
    }

    /** Whether a new record may start. */
    private boolean isIdle() {
        return !rest.hasRemaining() && !control.hasRemaining();
    }

    private boolean isTurn(LinkStream stream) {
        return serving == stream || queue.isEmpty() || (serving == null && queue.peek() == stream);
    }

    /** Sends a control record of a stream. */
    synchronized void control(int kind, int stream, int number) {
        if (!over) {
            put(kind, stream, number, 0);
            flushAndAsk();
        }
    }

    /** Whether the socket has taken all control records. */
    synchronized boolean isRead() {
        return !control.hasRemaining();
    }

    /** Adds a record, with space for its payload at the end. */
    private void put(int kind, int stream, int number, int bytes) {
        int size = LinkRecord.HEADER + bytes;
        if (control.capacity() - control.limit() < size) {
            int left = control.remaining();
            if (left + size <= control.capacity() / 2) {
                control.compact().flip();
            } else {
                control = ByteBuffer.allocate(2 * (left + size)).put(control).flip();
            }
        }
        int at = control.limit();
        control.limit(at + size);
        control.putInt(at + LinkRecord.KIND, kind);
        control.putInt(at + LinkRecord.STREAM, stream);
        control.putInt(at + LinkRecord.NUMBER, number);
    }

    /** Sends the bytes that precede the next record; returns whether all of them are sent. */
    private boolean flush() {
        if (over) {
            return false;
        }
        try {
            if (rest.hasRemaining()) {
                int _ = channel.write(rest);
            }
            if (!rest.hasRemaining() && control.hasRemaining()) {
                int _ = channel.write(control);
            }
            if (channel.wantsWrite(false)) {
                int _ = channel.write(rest); // empty, unless the channel takes no more
            }
        } catch (IOException e) {
            broke(e);
        }
        return isIdle();
    }

    private void flushAndAsk() {
        boolean _ = flush();
        ask();
    }

    /** Asks the loop to call back when the socket is writable, if any bytes wait. */
    private void ask() {
        if (over || !key.isValid()) {
            return;
        }
        boolean wanted = channel.wantsWrite(!isIdle() || !queue.isEmpty());
        int interests = key.interestOps();
        int now = wanted ? interests | SelectionKey.OP_WRITE : interests & ~SelectionKey.OP_WRITE;
        if (now != interests) {
            key.interestOps(now);
            loop.wakeup();
        }
    }

    /** Adds a stream to those that wait for their turn, or removes it. */
    synchronized void writes(LinkStream stream, boolean also) {
        stream.wants(also);
        enqueue(stream);
    }

    private void enqueue(LinkStream stream) {
        if (!over && stream.wantsTurn() && !stream.isQueued()) {
            stream.queued(true);
            queue.add(stream);
            ask();
        }
    }

    /** See {@link LinkStream#open}. */
    synchronized void open(LinkStream stream) {
        stream.urgent(false);
        control(LinkRecord.CREDIT, stream.id(), LinkRecord.WINDOW);
    }

    /** See {@link LinkStream#hurry}. */
    synchronized void hurry(LinkStream stream) {
        stream.urgent(true);
    }

    /** Adds the peer's credit for a stream. */
    synchronized void credit(LinkStream stream, int bytes) throws IOException {
        if (!stream.credit(bytes)) {
            throw new IOException(
                    "it allows " + bytes + " more bytes on stream " + stream.id() + " than its window has");
        }
        enqueue(stream);
    }

    /** Called when the socket is writable: every waiting stream gets one turn. Called by the loop's thread. */
    void serve() {
        int turns;
        synchronized (this) {
            turns = flush() ? queue.size() : 0;
        }
        for (; turns > 0; turns--) {
            LinkStream next;
            synchronized (this) {
                next = isIdle() ? queue.poll() : null;
                if (next == null) {
                    break;
                }
                next.queued(false);
                serving = next;
            }
            next.turn(); // not under the monitor, since it takes the connection's lock
            synchronized (this) {
                serving = null;
            }
        }
        synchronized (this) {
            ask();
        }
    }

    /** Sends the remaining bytes as far as possible without waiting; returns whether all are sent. */
    synchronized boolean finish() {
        return over || (flush() && isSent());
    }

    private void broke(IOException e) {
        if (!over) {
            over = true;
            loop.execute(() -> link.sendFailed(e));
        }
    }

    /** Stops reading after the peer's end, which the selector would report again and again. */
    synchronized void stopReading() {
        if (key.isValid()) {
            key.interestOps(key.interestOps() & ~SelectionKey.OP_READ);
        }
    }

    /** Ends sending. */
    synchronized void close() {
        over = true;
        queue.clear();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
