package org.mscclj.transport.tcp.link;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.loop.EventLoop;
import org.mscclj.transport.tcp.loop.Sockets;
import org.mscclj.transport.tcp.loop.TimedTask;

/**
 * A socket to a peer process, shared by the lanes of all connections between the two processes. Each lane is a
 * {@link LinkStream}, whose two ends authenticate each other by the token of their own connection. The side that has
 * connected opens streams, and closes the socket with the last one. Only the loop's thread uses a link and its
 * {@link LinkReader}; any thread may use its {@link LinkWriter}.
 */
public final class ProcessLink implements EventLoop.Handler {
    /**
     * Maximum number of streams that are not authenticated yet. A few hundred ranks of one process connect at the same
     * moment.
     */
    private static final int MAX_GREETINGS = 4096;

    /** Maximum number of streams that are opened while records for them wait until the peer reads. */
    private static final int MAX_UNREAD = 1 << 14;

    /** Upper limit of the ids of streams. The buffers of this many lanes would take 32 GiB. */
    public static final int MAX_STREAMS = 1 << 17;

    private final EventLoop loop;
    private final SocketChannel socket;
    private final LaneChannel channel;
    private final SelectionKey key;
    private final Duration idleTimeout;
    private final Consumer<ProcessLink> onClose;
    private final @Nullable BiConsumer<LinkStream, Runnable> onOpen;
    private final LinkReader reader;
    private final LinkWriter writer;

    /** The streams by id; an id is free when both sides have ended its stream. */
    private @Nullable LinkStream[] streams = new LinkStream[8];

    private int count;

    /** All ids below are in use. */
    private int lowest;

    /** One more than the largest id that was ever used. */
    private int top;

    private int greetings;

    /** Streams that were opened since the socket last took all records about streams. */
    private int unread;

    /** The deadline that closes a link without a stream; null while there is one. */
    private @Nullable TimedTask idleLimit;

    private boolean ended;
    private boolean closed;

    /**
     * Creates the link of a socket whose two sides have authenticated each other.
     *
     * @param onClose called when no stream can be opened any more
     * @param onOpen called when the peer opens a stream; null on the side that opens streams
     */
    private ProcessLink(
            EventLoop loop,
            SocketChannel socket,
            LaneChannel channel,
            SelectionKey key,
            Duration idleTimeout,
            Consumer<ProcessLink> onClose,
            @Nullable BiConsumer<LinkStream, Runnable> onOpen) {
        this.loop = loop;
        this.socket = socket;
        this.channel = channel;
        this.idleTimeout = idleTimeout;
        this.onClose = onClose;
        this.onOpen = onOpen;
        this.key = key;
        this.reader = new LinkReader(loop, this, channel);
        this.writer = new LinkWriter(loop, this, channel, key);
        key.attach(this);
        key.interestOps(SelectionKey.OP_READ);
        writer.serve(); // the channel may hold bytes that follow the greeting
    }

    /**
     * Creates the link of a socket that this side has connected.
     *
     * @param idleTimeout time after which the link ends if it has no stream
     * @param onClose called when no stream can be opened any more
     */
    public static ProcessLink connected(
            EventLoop loop,
            SocketChannel socket,
            LaneChannel channel,
            SelectionKey key,
            Duration idleTimeout,
            Consumer<ProcessLink> onClose) {
        return new ProcessLink(loop, socket, channel, key, idleTimeout, onClose, null);
    }

    /**
     * Serves the link of a socket that this side has accepted.
     *
     * @param idleTimeout time after which the link ends if it has no stream
     * @param onOpen called with each stream that the peer opens, and with a task to run when its greeting has ended
     */
    public static void accepted(
            EventLoop loop,
            SocketChannel socket,
            LaneChannel channel,
            SelectionKey key,
            Duration idleTimeout,
            BiConsumer<LinkStream, Runnable> onOpen) {
        ProcessLink link = new ProcessLink(loop, socket, channel, key, idleTimeout, _ -> {}, onOpen);
        link.await();
        link.reader.goOn(); // starting with bytes that arrived together with the end of the greeting
    }

    public SocketChannel socket() {
        return socket;
    }

    /** See {@link LaneChannel#channel}. */
    byte[] channel() throws IOException {
        return channel.channel();
    }

    /** See {@link EventLoop#later}. */
    void later(Runnable turn) {
        loop.later(turn);
    }

    // Streams.

    /** Opens a stream to the other side. */
    public LinkStream open() {
        int id = lowest;
        while (id < streams.length && streams[id] != null) {
            id++;
        }
        lowest = id + 1;
        LinkStream stream = add(id);
        writer.control(LinkRecord.OPEN, id, 0);
        return stream;
    }

    private LinkStream add(int id) {
        if (id >= streams.length) {
            streams = Arrays.copyOf(streams, 2 * streams.length);
        }
        LinkStream stream = new LinkStream(this, reader, writer, id);
        streams[id] = stream;
        count++;
        top = Math.max(top, id + 1);
        TimedTask idle = idleLimit;
        if (idle != null) {
            loop.unwatch(idle);
            idleLimit = null;
        }
        return stream;
    }

    /** Handles a stream that the peer opens. The peer takes the lowest free id, so that the table stays small. */
    private void opened(int id) throws IOException {
        BiConsumer<LinkStream, Runnable> acceptor = onOpen;
        if (acceptor == null
                || id < 0
                || id > top
                || id >= MAX_STREAMS
                || (id < streams.length && streams[id] != null)) {
            throw new IOException("it opens stream " + id + ", which it may not");
        }
        unread = writer.isRead() ? 0 : unread + 1;
        if (unread > MAX_UNREAD) {
            throw new IOException("it opens more than " + MAX_UNREAD + " streams and reads nothing");
        }
        if (++greetings > MAX_GREETINGS) {
            throw new IOException("it opens more than " + MAX_GREETINGS + " streams that send nothing");
        }
        acceptor.accept(add(id), this::greeted);
    }

    private void greeted() {
        greetings--;
    }

    /** Ends a stream on this side: it sends and receives nothing more. */
    void close(LinkStream stream) {
        if (closed || streams[stream.id()] != stream) {
            return;
        }
        if (!ended) {
            writer.control(LinkRecord.END, stream.id(), 0);
        }
        release(stream);
    }

    private void release(LinkStream stream) {
        if (streams[stream.id()] == stream && stream.isClosed() && (stream.isEnded() || ended)) {
            streams[stream.id()] = null;
            lowest = Math.min(lowest, stream.id());
            count--;
            if (count == 0) {
                idle();
            }
        }
    }

    /** Ends the link if it has no stream. */
    public void closeIfIdle() {
        if (count == 0 && !closed) {
            idle();
        }
    }

    /**
     * Called when no stream is left: the side that opens streams ends the link, and the other side ends it soon if that
     * one does not.
     */
    private void idle() {
        if (onOpen == null || ended) {
            onClose.accept(this);
            if (ended || writer.finish()) {
                close();
                return;
            }
        }
        await();
    }

    /** Closes the link unless a stream is opened soon. */
    private void await() {
        if (idleLimit == null) {
            TimedTask idle = new TimedTask(idleTimeout, this::close);
            idleLimit = idle;
            loop.watch(idle);
        }
    }

    // Receiving.

    @Override
    public void ready() throws IOException {
        if (key.isReadable()) {
            reader.ready();
        }
        if (key.isValid() && key.isWritable()) {
            writer.serve();
            if (onOpen == null && count == 0 && writer.finish()) {
                close();
            }
        }
    }

    /** Handles the header of a received record. */
    void take(int kind, int id, int number) throws IOException {
        if (kind == LinkRecord.OPEN) {
            opened(id);
            return;
        }
        LinkStream stream = id >= 0 && id < streams.length ? streams[id] : null;
        if (stream == null) {
            throw new IOException("it names stream " + id + ", which is not open");
        }
        switch (kind) {
            case LinkRecord.DATA -> {
                if (number <= 0 || number > LinkRecord.MAX_DATA) {
                    throw new IOException("it sent " + number + " bytes on stream " + id);
                }
                if (!stream.allows(number)) {
                    throw new IOException("it sent " + number + " bytes on stream " + id + ", more than it may");
                }
                stream.announce(number);
                reader.begin(stream, number);
            }
            case LinkRecord.CREDIT -> writer.credit(stream, number);
            case LinkRecord.END -> {
                stream.end();
                if (!closed) {
                    release(stream);
                }
            }
            default -> throw new IOException("it sent a record of unknown kind " + kind);
        }
    }

    // Ending.

    @Override
    public void loopEnded() {
        close();
    }

    /** Whether nothing more is received. */
    boolean isOver() {
        return ended || closed;
    }

    /** Called when the peer's process has closed the socket or has ended. */
    void end() {
        if (closed || ended) {
            return;
        }
        ended = true;
        onClose.accept(this);
        writer.stopReading();
        for (LinkStream stream : streams.clone()) {
            if (stream != null) {
                stream.end();
            }
        }
        for (LinkStream stream : streams.clone()) {
            if (stream != null && !closed) {
                release(stream);
            }
        }
        if (count == 0) {
            close();
        }
    }

    /** Called when the socket is not writable any more; received records may contain the reason. */
    void sendFailed(IOException e) {
        try {
            reader.receiveRest();
        } catch (IOException | RuntimeException later) {
            e.addSuppressed(later); // the first reason is kept
        }
        failed(e);
    }

    @Override
    public void failed(Exception e) {
        if (closed) {
            return;
        }
        onClose.accept(this);
        LinkStream[] all =
                Arrays.stream(streams).filter(stream -> stream != null).toArray(LinkStream[]::new);
        for (LinkStream stream : all) {
            stream.failed(e);
        }
        close();
    }

    /**
     * Closes the socket after reading as much as sockets usually buffer: closing a socket with unread bytes resets the
     * connection, and the peer may lose the last bytes that it was sent.
     */
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        TimedTask idle = idleLimit;
        if (idle != null) {
            loop.unwatch(idle);
        }
        onClose.accept(this);
        boolean _ = writer.finish();
        writer.close();
        if (!ended) {
            reader.discard();
        }
        Sockets.closeQuietly(channel);
        reader.close();
    }
}
