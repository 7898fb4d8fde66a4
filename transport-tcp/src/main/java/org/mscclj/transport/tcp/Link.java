package org.mscclj.transport.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A socket to a peer process, shared by the lanes of all connections between the two: each is a {@link LinkStream},
 * whose ends prove to each other that they belong together, whatever others have proved. The side that has connected
 * opens streams, and closes the socket with the last one. Used by the loop's thread, as is {@link LinkReader};
 * {@link LinkWriter} by any.
 */
final class Link implements EventLoop.Handler {
    /** Streams whose ends do not know each other yet. A few hundred ranks of one process connect at the same moment. */
    private static final int MOST_GREETINGS = 4096;

    /** Streams that are opened while what their ends are told waits for the peer to read it. */
    private static final int MOST_UNREAD = 1 << 14;

    /** Numbers of streams are below it. The buffers of so many lanes would take 32 GiB. */
    static final int MOST_STREAMS = 1 << 17;

    private final EventLoop loop;
    private final SocketChannel socket;
    private final LaneChannel channel;
    private final SelectionKey key;
    private final Consumer<Link> onClose;
    private final boolean opens;
    private final LinkReader reader;
    private final LinkWriter writer;

    /** By id; an id is free when both sides have ended its stream. */
    private @Nullable LinkStream[] streams = new LinkStream[8];

    private int count;

    /** No id below it is free. */
    private int lowest;

    /** Above every id that was ever used. */
    private int top;

    private int greetings;

    /** Streams that were opened since the socket last took everything that they were told. */
    private int unread;

    /** When a link without streams is closed; null while it has some. */
    private @Nullable Deadline patience;

    private boolean ended;
    private boolean closed;

    /**
     * Shares a socket whose ends have proved that they know an end's token.
     *
     * @param opens whether this side opens streams
     * @param onClose is told when no stream can be opened any more
     */
    private Link(
            EventLoop loop,
            SocketChannel socket,
            LaneChannel channel,
            SelectionKey key,
            boolean opens,
            Consumer<Link> onClose) {
        this.loop = loop;
        this.socket = socket;
        this.channel = channel;
        this.opens = opens;
        this.onClose = onClose;
        this.key = key;
        this.reader = new LinkReader(loop, this, channel);
        this.writer = new LinkWriter(loop, this, channel, key);
        key.attach(this);
        key.interestOps(SelectionKey.OP_READ);
        writer.serve(); // the channel may hold the end of the greeting
    }

    /** The link of a socket that this side has connected. */
    static Link connected(
            EventLoop loop, SocketChannel socket, LaneChannel channel, SelectionKey key, Consumer<Link> onClose) {
        return new Link(loop, socket, channel, key, true, onClose);
    }

    /** Serves the link of a socket that has connected to this process. */
    static void accepted(EventLoop loop, SocketChannel socket, LaneChannel channel, SelectionKey key) {
        Link link = new Link(loop, socket, channel, key, false, _ -> {});
        link.await();
        link.reader.goOn(); // with what came together with the end of the greeting
    }

    SocketChannel socket() {
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
    LinkStream open() {
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
        Deadline idle = patience;
        if (idle != null) {
            loop.unwatch(idle);
            patience = null;
        }
        return stream;
    }

    /** The peer opens a stream. It takes the lowest number that is free, so that the table stays small. */
    private void opened(int id) throws IOException {
        if (opens || id < 0 || id > top || id >= MOST_STREAMS || (id < streams.length && streams[id] != null)) {
            throw new IOException("it opens stream " + id + ", which it may not");
        }
        unread = writer.isRead() ? 0 : unread + 1;
        if (unread > MOST_UNREAD) {
            throw new IOException("it opens more than " + MOST_UNREAD + " streams and reads nothing");
        }
        if (++greetings > MOST_GREETINGS) {
            throw new IOException("it opens more than " + MOST_GREETINGS + " streams that say nothing");
        }
        StreamInbound.start(loop, add(id), this::greeted);
    }

    private void greeted() {
        greetings--;
    }

    /** This side sends no more on a stream, and takes no more. */
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
    void closeIfIdle() {
        if (count == 0 && !closed) {
            idle();
        }
    }

    /** No stream is left: the side that opens them ends the link, and the other side soon if that one does not. */
    private void idle() {
        if (opens || ended) {
            onClose.accept(this);
            if (ended || writer.finish()) {
                close();
                return;
            }
        }
        await();
    }

    /** The link is closed unless a stream is opened soon. */
    private void await() {
        if (patience == null) {
            Deadline idle = new Deadline(loop.settings().timeout().dividedBy(2), this::close);
            patience = idle;
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
            if (opens && count == 0 && writer.finish()) {
                close();
            }
        }
    }

    /** A record has come. */
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
                if (number <= 0 || number > LinkRecord.MOST) {
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

    /** Whether nothing more is received. */
    boolean isOver() {
        return ended || closed;
    }

    /** The peer's process has closed the socket, or has ended. */
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

    /** The socket cannot be written to any more; what has come may tell why. */
    void sendFailed(IOException e) {
        try {
            reader.receiveRest();
        } catch (IOException | RuntimeException later) {
            e.addSuppressed(later); // the reason that came first stays
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
     * Closes the socket, after reading what usual sockets hold: one that is closed with unread bytes resets the
     * connection, and the peer may lose the last it was sent.
     */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        Deadline idle = patience;
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
