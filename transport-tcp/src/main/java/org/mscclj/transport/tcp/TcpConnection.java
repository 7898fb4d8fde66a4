package org.mscclj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
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
 * A connection to one peer over several sockets: how it begins, what is posted on it, and how it ends. The thread that posts an operation
 * sends what the sockets take; the loop sends the rest.
 */
final class TcpConnection implements TransportConnection {
    private final EventLoop loop;
    private final BackendDevice device;
    private final Consumer<TcpConnection> onClose;
    private final EndpointDescription description;
    private final Deadline timeout;
    private final CountDownLatch decided = new CountDownLatch(1);

    private final Object lock = new Object();
    private final Lanes lanes;
    private final Outgoing outgoing;
    private final Incoming incoming;
    private @Nullable EndpointDescription peer;
    private @Nullable ConnectionListener listener;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private boolean peerClosed;

    /** Up to where the peer says that everything has landed; written by the loop's thread. */
    private volatile long completed;

    TcpConnection(EventLoop loop, BackendDevice device, MemoryTable memories, Consumer<TcpConnection> onClose) {
        this.loop = loop;
        this.device = device;
        this.onClose = onClose;
        int count = loop.settings().lanes();
        this.description = new EndpointDescription(
                loop.address(), ByteBuffer.wrap(Hello.random(Long.BYTES)).getLong(), Hello.random(Hello.TOKEN), count);
        this.lanes = new Lanes(count);
        this.outgoing = new Outgoing(lanes);
        this.incoming = new Incoming(this, lanes, memories);
        this.timeout = new Deadline(loop.settings().timeout(), this::notConnected);
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
        boolean connects = description.connectsTo(to);
        synchronized (lock) {
            peer = to;
            if (connects) {
                lanes.expect(to.lanes());
            }
        }
        loop.execute(() -> loop.watch(timeout));
        if (!connects) {
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
            return count == lanes.count() && lanes.lacks(lane) && isAlive();
        }
    }

    /** A lane is connected, and its ends know each other. */
    void attach(int index, LaneChannel channel, SelectionKey key) throws IOException {
        synchronized (lock) {
            if (!isAlive() || !lanes.lacks(index)) {
                channel.close();
                return;
            }
            lanes.attach(index, new Lane(this, incoming, channel, key));
            if (!lanes.areComplete()) {
                return;
            }
        }
        loop.unwatch(timeout);
        decided.countDown();
        pump();
    }

    /** The wait for lanes ends, if they have not come. */
    private void notConnected() {
        synchronized (lock) {
            if (lanes.areComplete()) {
                return;
            }
        }
        fail(
                "the peer did not connect to " + description + " within "
                        + loop.settings().timeout() + "; check that it can reach this address, and "
                        + TcpSettings.INTERFACE + " and " + TcpSettings.PORTS,
                null);
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
            long position = outgoing.add(source, sourceOffset, target, targetOffset, bytes);
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
        if (completed < outgoing.posted()) {
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
            if (!isAlive() || peerClosed || !lanes.areComplete()) {
                return;
            }
            try {
                outgoing.send(incoming.landed());
            } catch (IOException e) {
                fail("the connection broke: " + e.getMessage(), e);
            } catch (Outgoing.ClosedSourceException e) {
                fail(String.valueOf(e.getMessage()), e);
            }
        }
    }

    void interestChanged() {
        loop.wakeup();
    }

    // Receiving; by the loop's thread.

    /** Something that the peer posted has landed. */
    void stored() {
        device.wake();
        pump(); // acknowledges it
    }

    boolean isAlive() {
        return failure == null && !closed;
    }

    /** The peer says that everything up to a position has landed; false if the connection is given up. */
    boolean acknowledged(Lane lane, long position) {
        long posted = outgoing.posted();
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

    // Ending.

    /** The peer has closed a lane. */
    void ended(boolean inGoodOrder) {
        boolean lost;
        synchronized (lock) {
            peerClosed = true;
            lost = !closed && completed < outgoing.posted();
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
            outgoing.clear();
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
            lanes.close();
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            if (failure == null && lanes.areComplete()) {
                sayGoodbye();
            }
            closed = true;
            outgoing.clear();
        }
        onClose.accept(this);
        loop.execute(this::closeLanes);
    }

    private void sayGoodbye() {
        pump();
        for (int index = 0; index < lanes.count(); index++) {
            Lane lane = lanes.find(index);
            if (lane != null && lane.hasRoom(0)) {
                lane.put(Frame.GOODBYE, 0, outgoing.posted(), 0, 0, 0);
                try {
                    lane.send();
                } catch (IOException e) {
                    return; // the peer has gone already
                }
            }
        }
    }
}
