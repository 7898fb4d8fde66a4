package org.mscclj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A connection to one peer over several sockets.
 *
 * <p>Sending: the thread that posts an operation puts it into frames and sends what the sockets take; the loop sends the rest. Small
 * operations go through the first lane that has room, large ones are spread over all. Receiving: a frame is stored only when all
 * operations before its own have landed completely; until then its lane waits. So the order is that of posting, whatever lane is
 * faster, and no lane waits for a later one.
 */
final class TcpConnection implements TransportConnection {
    /** Times that all lanes are filled and sent before a thread turns to other work. */
    private static final int TURNS = 16;

    private final EventLoop loop;
    private final BackendDevice device;
    private final MemoryTable memories;
    private final Consumer<TcpConnection> onClose;
    private final EndpointDescription description;
    private final Timeout timeout;
    private final CountDownLatch decided = new CountDownLatch(1);

    private final Object lock = new Object();
    private final OperationQueue queue = new OperationQueue();
    private final @Nullable Lane[] lanes;
    private int attached;
    private int nextLane;
    private @Nullable EndpointDescription peer;
    private @Nullable ConnectionListener listener;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private boolean peerClosed;
    private long acknowledged;

    /** Written under the lock. */
    private volatile long posted;

    /** Up to where the peer says that everything has landed; written by the loop's thread. */
    private volatile long completed;

    /** Up to where everything that the peer posted has landed, for whoever sends; written by the loop's thread. */
    private volatile long acknowledgeable;

    // Of the loop's thread.

    /** Up to where everything that the peer posted has landed. */
    private long landed;

    /** Bytes of the next operation that have landed. */
    private long landedBytes;

    private boolean stored;
    private boolean processing;

    TcpConnection(EventLoop loop, BackendDevice device, MemoryTable memories, Consumer<TcpConnection> onClose) {
        this.loop = loop;
        this.device = device;
        this.memories = memories;
        this.onClose = onClose;
        this.timeout = new Timeout(loop.settings().timeout());
        int count = loop.settings().lanes();
        this.description = new EndpointDescription(
                loop.address(), ByteBuffer.wrap(Hello.random(Long.BYTES)).getLong(), Hello.random(Hello.TOKEN), count);
        this.lanes = new Lane[TcpSettings.MOST_LANES];
        loop.add(this);
    }

    long id() {
        return description.id();
    }

    byte[] token() {
        return description.token();
    }

    EndpointDescription description() {
        return description;
    }

    // Connecting.

    /**
     * Connects to the peer's end, and returns when its process has answered; or waits for being connected to, which does not hold up this
     * call, since the peer may be waiting for another one in the same way.
     */
    void connect(EndpointDescription to) {
        synchronized (lock) {
            peer = to;
        }
        loop.execute(() -> loop.watch(timeout));
        if (!description.connectsTo(to)) {
            return;
        }
        loop.execute(() -> {
            for (int lane = 0; lane < to.lanes(); lane++) {
                OutboundGreeting.start(loop, this, to, lane);
            }
        });
        try {
            decided.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while connecting to " + to);
        }
        synchronized (lock) {
            requireUsable();
        }
    }

    /** Whether the peer is expected to connect this lane. */
    boolean awaits(int lane, int count) {
        synchronized (lock) {
            return count == description.lanes()
                    && lane >= 0
                    && lane < count
                    && lanes[lane] == null
                    && !closed
                    && failure == null;
        }
    }

    private int laneCount() {
        EndpointDescription to = peer;
        return to != null && description.connectsTo(to) ? to.lanes() : description.lanes();
    }

    /** A lane is connected, and its ends know each other. */
    void attach(int index, LaneChannel channel, SelectionKey key) throws IOException {
        synchronized (lock) {
            if (closed || failure != null || lanes[index] != null) {
                channel.close();
                return;
            }
            lanes[index] = new Lane(this, channel, key);
            if (++attached < laneCount()) {
                return;
            }
        }
        loop.unwatch(timeout);
        decided.countDown();
        pump();
    }

    /** Ends the wait for lanes that never come. */
    private final class Timeout implements EventLoop.Timed {
        private final Duration patience;
        private final long deadline;

        Timeout(Duration patience) {
            this.patience = patience;
            this.deadline = System.nanoTime() + patience.toNanos();
        }

        @Override
        public long deadline() {
            return deadline;
        }

        @Override
        public void expired() {
            synchronized (lock) {
                if (attached == laneCount()) {
                    return;
                }
            }
            fail(
                    "the peer did not connect to " + description + " within " + patience
                            + "; check that it can reach this address, and " + TcpSettings.INTERFACE + " and "
                            + TcpSettings.PORTS,
                    null);
        }
    }

    // Posting.

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        if (!(source instanceof TcpLocalMemory local)) {
            throw notOurs("source of a write", source);
        }
        return post(local, sourceOffset, remote(target), targetOffset, bytes);
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        return post(null, 0, remote(target), targetOffset, 0);
    }

    private long post(
            @Nullable TcpLocalMemory source, long sourceOffset, TcpRemoteMemory target, long targetOffset, long bytes) {
        synchronized (lock) {
            requireUsable();
            queue.add(source, sourceOffset, target, targetOffset, bytes);
            long position = posted + 1;
            posted = position;
            pump();
            return position;
        }
    }

    private static TcpRemoteMemory remote(RemoteMemory memory) {
        if (memory instanceof TcpRemoteMemory ours) {
            return ours;
        }
        throw notOurs("target", memory);
    }

    private static InvalidArgumentException notOurs(String argument, Object memory) {
        return InvalidArgumentException.of(
                argument, "memory of another transport, " + memory.getClass().getName(), "memory of transport tcp");
    }

    @Override
    public long completed() {
        if (completed < posted) {
            synchronized (lock) {
                requireUsable();
            }
        }
        return completed;
    }

    /** Under the lock. */
    private void requireUsable() {
        IOException broken = failure;
        if (broken != null) {
            throw new BackendException(String.valueOf(broken.getMessage()), broken);
        }
        if (closed) {
            throw new InvalidArgumentException("the connection over tcp is closed; connect again");
        }
        if (peerClosed) {
            throw new InvalidArgumentException(
                    "the connection over tcp to " + peerName() + " was closed by the peer; connect again");
        }
    }

    // Sending.

    /** Puts what waits into frames, and sends what the sockets take. */
    void pump() {
        synchronized (lock) {
            if (!isAlive() || peerClosed || attached < laneCount()) {
                return;
            }
            try {
                boolean moved = true;
                for (int turn = 0; turn < TURNS && moved && failure == null; turn++) {
                    fill();
                    moved = false;
                    for (int lane = 0; lane < laneCount(); lane++) {
                        moved |= lane(lane).send();
                    }
                    moved &= !queue.isEmpty();
                }
                fill(); // what is left after the last turn, so that lanes ask to be sent again
                for (int lane = 0; lane < laneCount(); lane++) {
                    lane(lane).updateInterest();
                }
            } catch (IOException e) {
                fail("the connection broke: " + e.getMessage(), e);
            }
        }
    }

    private Lane lane(int index) {
        Lane lane = lanes[index];
        if (lane == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return lane;
    }

    private void fill() {
        Lane first = lane(0);
        long due = acknowledgeable;
        if (due > acknowledged && first.hasRoom(0)) {
            first.put(Frame.ACKNOWLEDGE, 0, due, 0, 0, 0);
            acknowledged = due;
        }
        while (!queue.isEmpty() && frame()) {
            // as long as there is room
        }
    }

    /** Puts a part of the first operation into a frame; false if there is no room. */
    private boolean frame() {
        long position = posted - queue.size() + 1;
        TcpRemoteMemory target = queue.target();
        TcpLocalMemory source = queue.source();
        long offset = queue.targetOffset();
        // Parts end at whole words of the target, so that these are never stored in two halves.
        long most = Frame.MOST_PAYLOAD - (target.misalignment() + offset & (Long.BYTES - 1));
        int length = (int) Math.min(queue.left(), most);
        Lane lane = withRoom(length, queue.total() > most);
        if (lane == null) {
            return false;
        }
        if (source == null) {
            lane.put(Frame.SIGNAL, 0, position, target.id(), offset, 0);
        } else if (source.read(queue.sourceOffset(), lane.outgoing(), lane.payload(), length)) {
            lane.put(Frame.WRITE, length, position, target.id(), offset, queue.total());
        } else {
            fail("the source of a write was closed before it was sent; close memory after its transfers", null);
            return false;
        }
        queue.framed(length);
        return true;
    }

    private @Nullable Lane withRoom(int length, boolean spread) {
        int count = laneCount();
        int start = spread ? nextLane : 0;
        for (int i = 0; i < count; i++) {
            int index = (start + i) % count;
            if (lane(index).hasRoom(length)) {
                nextLane = (index + 1) % count;
                return lane(index);
            }
        }
        return null;
    }

    void interestChanged() {
        loop.wakeup();
    }

    // Receiving; by the loop's thread.

    /** Takes what all lanes have received, in order, and acknowledges it. */
    void process() {
        if (processing) {
            return; // called again by a lane that reads on
        }
        processing = true;
        try {
            boolean moved = true;
            while (moved) {
                moved = false;
                for (int index = 0; index < lanes.length && isAlive(); index++) {
                    Lane lane = lanes[index];
                    if (lane != null) {
                        boolean wasStalled = lane.isStalled();
                        boolean took = lane.process();
                        moved |= took;
                        if (took && wasStalled) {
                            lane.resume();
                        }
                    }
                }
            }
        } catch (IOException e) {
            fail("the connection broke: " + e.getMessage(), e);
        } finally {
            processing = false;
        }
        if (stored) {
            stored = false;
            acknowledgeable = landed;
            device.wake();
            pump();
        }
        for (Lane lane : lanes) {
            if (lane != null && isAlive()) {
                lane.reportEnd();
            }
        }
    }

    private boolean isAlive() {
        return failure == null && !closed;
    }

    /** Whether everything before a frame has landed. */
    boolean mayTake(ByteBuffer in, int at) {
        byte type = in.get(at + Frame.TYPE);
        return (type != Frame.WRITE && type != Frame.SIGNAL) || in.getLong(at + Frame.POSITION) <= landed + 1;
    }

    /** Takes a frame; false if the connection is given up. */
    boolean take(Lane lane, ByteBuffer in, MemorySegment bytes, int at, int length) {
        long position = in.getLong(at + Frame.POSITION);
        byte type = in.get(at + Frame.TYPE);
        return switch (type) {
            case Frame.WRITE, Frame.SIGNAL -> store(lane, type, in, bytes, at, length);
            case Frame.ACKNOWLEDGE -> acknowledge(lane, position);
            case Frame.GOODBYE -> {
                lane.goodbye();
                yield true;
            }
            case Frame.REFUSE -> {
                byte[] reason = new byte[length];
                in.get(at + Frame.HEADER, reason);
                fail("the peer gave the connection up: " + new String(reason, StandardCharsets.UTF_8), null);
                yield false;
            }
            default -> {
                refuse(lane, "a frame of unknown type " + type);
                yield false;
            }
        };
    }

    private boolean acknowledge(Lane lane, long position) {
        if (position <= completed || position > posted) {
            refuse(lane, "an acknowledgement of operation " + position + ", after " + completed + " of " + posted);
            return false;
        }
        completed = position;
        ConnectionListener told = told();
        if (told != null) {
            told.progressed();
        }
        return true;
    }

    private boolean store(Lane lane, byte type, ByteBuffer in, MemorySegment bytes, int at, int length) {
        long position = in.getLong(at + Frame.POSITION);
        long id = in.getLong(at + Frame.MEMORY);
        long offset = in.getLong(at + Frame.OFFSET);
        long total = in.getLong(at + Frame.TOTAL);
        TcpLocalMemory memory = memories.find(id);
        String fault = fault(type, memory, offset, length);
        if (position != landed + 1
                || total < 0
                || length > total - landedBytes
                || (type == Frame.SIGNAL && total != 0)) {
            fault = "part of operation " + position + " with " + length + " of " + total + " bytes, after " + landed
                    + " operations and " + landedBytes + " bytes";
        }
        if (fault != null || memory == null) {
            refuse(lane, String.valueOf(fault));
            return false;
        }
        if (memory.id() == id) { // else it was closed, and somebody else has the slot
            if (type == Frame.SIGNAL) {
                memory.raise(offset);
            } else {
                memory.write(offset, bytes, at + (long) Frame.HEADER, length);
            }
        }
        stored = true;
        landedBytes += length;
        if (landedBytes == total) {
            landed++;
            landedBytes = 0;
        }
        return true;
    }

    /** What is wrong with where a frame wants to go; null if nothing is. */
    private static @Nullable String fault(byte type, @Nullable TcpLocalMemory memory, long offset, int length) {
        if (memory == null) {
            return "a frame for memory that was never registered";
        }
        if (type == Frame.SIGNAL) {
            return memory.containsCounter(offset)
                    ? null
                    : "a signal to offset " + offset + " of memory of " + memory.byteSize()
                            + " bytes, where no counter can be";
        }
        return memory.contains(offset, length)
                ? null
                : length + " bytes for offset " + offset + " of memory of " + memory.byteSize() + " bytes";
    }

    // Ending.

    /** The peer has closed a lane. */
    void ended(boolean inGoodOrder) {
        boolean lost;
        synchronized (lock) {
            peerClosed = true;
            lost = !closed && completed < posted;
        }
        if (!inGoodOrder) {
            fail("the peer's process ended or closed the connection without a word", new EOFException("closed"));
        } else if (lost) {
            fail("the peer closed the connection before it had taken everything", null);
        }
    }

    /** What the peer sent makes no sense: tells it so, and gives the connection up before anything is stored. */
    void refuse(Lane lane, String what) {
        synchronized (lock) {
            byte[] reason = ("it was sent " + what).getBytes(StandardCharsets.UTF_8);
            if (failure == null && !closed && lane.hasRoom(reason.length)) {
                MemorySegment.copy(MemorySegment.ofArray(reason), 0, lane.outgoing(), lane.payload(), reason.length);
                lane.put(Frame.REFUSE, reason.length, 0, 0, 0, 0);
                try {
                    lane.send();
                } catch (IOException e) {
                    fail("the peer sent " + what + ", and could not be told: " + e.getMessage(), e);
                }
            }
        }
        fail("the peer sent " + what + "; nothing was stored. Both sides must run the same version", null);
    }

    /** Gives the connection up; the first reason stays. Any thread. */
    void fail(String what, @Nullable Exception cause) {
        synchronized (lock) {
            if (failure != null || closed) {
                return;
            }
            failure = new IOException("connection over tcp to " + peerName() + ": " + what, cause);
            queue.clear();
        }
        loop.execute(() -> {
            closeLanes();
            tell();
        });
    }

    private void tell() {
        ConnectionListener told = told();
        Optional<String> reason;
        synchronized (lock) {
            reason = Optional.ofNullable(failure).map(IOException::getMessage);
        }
        if (told != null && reason.isPresent()) {
            told.failed(reason.get());
        }
    }

    private @Nullable ConnectionListener told() {
        synchronized (lock) {
            return listener;
        }
    }

    @Override
    public void listen(ConnectionListener to) {
        boolean late;
        synchronized (lock) {
            listener = to;
            late = failure != null;
        }
        if (late) {
            loop.execute(this::tell);
        }
    }

    private String peerName() {
        EndpointDescription to = peer;
        return to == null ? "a peer" : to.toString();
    }

    /** By the loop's thread. */
    private void closeLanes() {
        loop.unwatch(timeout);
        loop.remove(this);
        decided.countDown();
        synchronized (lock) {
            for (int lane = 0; lane < lanes.length; lane++) {
                Lane open = lanes[lane];
                if (open != null) {
                    open.close();
                    lanes[lane] = null;
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            if (failure == null && attached == laneCount()) {
                sayGoodbye();
            }
            closed = true;
            queue.clear();
        }
        onClose.accept(this);
        loop.execute(this::closeLanes);
    }

    private void sayGoodbye() {
        pump();
        for (int index = 0; index < laneCount(); index++) {
            Lane lane = lanes[index];
            if (lane != null && lane.hasRoom(0)) {
                lane.put(Frame.GOODBYE, 0, posted, 0, 0, 0);
                try {
                    lane.send();
                } catch (IOException e) {
                    return; // the peer has gone already
                }
            }
        }
    }
}
