package org.mscclj.transport.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A socket to a peer process, shared by the lanes of all connections between the two: each is a {@link LinkStream},
 * whose ends prove to each other that they belong together, whatever others have proved. The side that has connected
 * opens streams, and closes the socket with the last one. Used by the loop's thread; {@link LinkWriter} by any.
 */
final class Link implements EventLoop.Handler {
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
    private final Arena arena = Arena.ofShared();
    private final LinkWriter writer;
    private final Runnable nextTurn = this::goOnReceiving;

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

    /** Bytes that have come and were not looked at; ready to be read from. */
    private final ByteBuffer ahead;

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
        this.ahead = arena.allocate(AHEAD).asByteBuffer().flip();
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
        link.goOnReceiving(); // with what came together with the end of the greeting
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
        LinkStream stream = new LinkStream(this, writer, id);
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
        if (key.isReadable() && !hasTurn) {
            receive(TURNS);
        }
        if (key.isValid() && key.isWritable()) {
            writer.serve();
            if (opens && count == 0 && writer.finish()) {
                close();
            }
        }
    }

    /** Takes what has come; also what {@link #channel} holds, of which the socket does not tell. */
    private void receive(int turns) throws IOException {
        int turn = 0;
        while (turn < turns && receiveOnce()) {
            turn++; // what was received is taken by its stream
        }
        if (turn == turns && !closed && !hasTurn && holdsReceived()) {
            hasTurn = true;
            later(nextTurn);
        }
    }

    /** Whether there is something of which the selector does not tell. */
    private boolean holdsReceived() {
        return ahead.remaining() >= LinkRecord.HEADER || (left > 0 && ahead.hasRemaining()) || channel.holdsReceived();
    }

    private void goOnReceiving() {
        hasTurn = false;
        try {
            receive(TURNS);
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    /** Takes a record, or the rest of one; false if there is none. */
    private boolean receiveOnce() throws IOException {
        dry = false;
        if (closed || ended) {
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
                end();
                return false;
            }
            if (ahead.remaining() < LinkRecord.HEADER) {
                return read > 0;
            }
        }
        int at = ahead.position();
        ahead.position(at + LinkRecord.HEADER);
        take(
                ahead.getInt(at + LinkRecord.KIND),
                ahead.getInt(at + LinkRecord.STREAM),
                ahead.getInt(at + LinkRecord.NUMBER));
        return true;
    }

    private void take(int kind, int id, int number) throws IOException {
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
                current = stream;
                left = number;
                last = number;
                deliver();
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

    /** Has bytes taken by their stream; what it has no room for is kept, up to its window. */
    private void deliver() throws IOException {
        while (left > 0 && !dry && !ended && !closed) {
            LinkStream stream = current;
            if (stream == null || stream.isClosed()) {
                skip();
                continue;
            }
            long before = stream.total();
            stream.dispatch();
            if (stream.total() == before && !dry && !ended && !closed && !stream.isClosed()) {
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
                end();
            }
        }
        int count = Math.min(left, ahead.remaining());
        ahead.position(ahead.position() + count);
        left -= count;
    }

    /** Bytes of a stream that are there now; none if others come first. */
    int take(LinkStream stream, ByteBuffer to) throws IOException {
        return stream == current && left > 0 && !ended && !closed ? read(to) : 0;
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
                goOn();
            }
        }
        int copied = to.position() - before;
        return copied > 0 || left == 0 || !to.hasRemaining() ? copied : readSocket(to);
    }

    /** Goes on with the next record, if it has come and is of the same stream. What is wrong with it is found later. */
    private void goOn() {
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
            later(this::end); // not now: a stream of this link is reading
            return 0;
        }
        left -= count;
        return count;
    }

    // Ending.

    /** The peer's process has closed the socket, or has ended. */
    private void end() {
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
            for (int turn = 0; turn < DISCARDS && receiveOnce(); turn++) {
                receive(TURNS);
            }
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
        try {
            for (int read = 1, turn = 0; read > 0 && turn < DISCARDS && !ended; turn++) {
                ahead.clear();
                read = channel.read(ahead);
            }
        } catch (IOException _) {
            // the peer has gone already
        }
        Sockets.closeQuietly(channel);
        arena.close();
    }
}
