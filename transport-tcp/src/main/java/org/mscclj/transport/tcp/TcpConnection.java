package org.mscclj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A connection to one peer over several sockets. The thread that posts an operation sends as much as the sockets take;
 * the event loop sends the rest.
 */
final class TcpConnection implements TransportConnection {
    private final EventLoop loop;
    private final BackendDevice device;
    private final Consumer<TcpConnection> onClose;
    private final EndpointDescription description;
    private final CountDownLatch decided = new CountDownLatch(1);

    private final Object lock = new Object();
    private final Lanes lanes;
    private final Outgoing outgoing;
    private final Incoming incoming;
    private @Nullable EndpointDescription peer;
    private @Nullable Deadline timeout;
    private Duration limit = Duration.ZERO;

    /** Whether the peer has not answered within the limit. */
    private boolean late;

    private @Nullable ConnectionListener listener;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private boolean peerClosed;

    /** Number of links that the peer has connected by this endpoint's token. Only the loop's thread uses it. */
    private int links;

    /** The position up to which the peer has acknowledged. Only the loop's thread writes it. */
    private volatile long completed;

    TcpConnection(EventLoop loop, BackendDevice device, MemoryTable memories, Consumer<TcpConnection> onClose) {
        this.loop = loop;
        this.device = device;
        this.onClose = onClose;
        int count = loop.settings().lanes();
        this.description = new EndpointDescription(
                loop.process(),
                loop.address(),
                ByteBuffer.wrap(Hello.random(Long.BYTES)).getLong(),
                Hello.random(Hello.TOKEN),
                count);
        this.lanes = new Lanes(count);
        this.outgoing = new Outgoing(lanes);
        this.incoming = new Incoming(this, lanes, memories);
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
     * Connects to the peer's endpoint, and returns when its process has answered. If it is the peer that connects, this
     * call returns at once, since the peer may in the same way be waiting for another rank.
     *
     * @throws OperationTimeoutException if the peer does not answer within the limit
     */
    void connect(EndpointDescription to, Duration within) {
        boolean connects = description.connectsTo(to);
        Deadline connectLimit = new Deadline(within, this::notConnected);
        synchronized (lock) {
            peer = to;
            limit = within;
            timeout = connectLimit;
            if (connects) {
                lanes.expect(to.lanes());
            }
        }
        loop.execute(() -> watch(connectLimit));
        if (!connects) {
            return;
        }
        loop.execute(() -> {
            for (int lane = 0; lane < to.lanes(); lane++) {
                loop.links().connect(this, to, lane, connectLimit.deadline());
            }
        });
        try {
            decided.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while connecting to " + to);
        }
        synchronized (lock) {
            IOException why = failure;
            if (why != null && late) {
                throw new OperationTimeoutException(String.valueOf(why.getMessage()), List.of());
            }
            requireUsable();
        }
    }

    /** Whether this side expects the peer to connect this lane. */
    boolean awaits(int lane, int count) {
        synchronized (lock) {
            return count == lanes.count() && lanes.lacks(lane) && isAlive();
        }
    }

    /** Whether the peer may connect another link by this endpoint's token: each of its lanes needs one at most. */
    boolean admitsLink() {
        return isAlive() && links < lanes.count();
    }

    /** Counts a link that the peer has connected by this endpoint's token. Called by the loop's thread. */
    void countLink() {
        links++;
    }

    private void watch(Deadline connectLimit) {
        synchronized (lock) {
            if (!isAlive() || lanes.areComplete()) {
                return;
            }
        }
        loop.watch(connectLimit);
    }

    private void unwatch() {
        Deadline connectLimit;
        synchronized (lock) {
            connectLimit = timeout;
        }
        if (connectLimit != null) {
            loop.unwatch(connectLimit);
        }
    }

    /** Attaches a lane whose two ends have authenticated each other. Called by the loop's thread. */
    void attach(int index, LaneChannel channel, LinkStream stream) throws IOException {
        Lane lane;
        boolean complete;
        synchronized (lock) {
            if (failure != null || !lanes.lacks(index)) {
                channel.close();
                return;
            }
            lane = new Lane(this, incoming, channel, stream);
            if (closed) { // without a goodbye the peer would report a failure
                lane.sayGoodbye(outgoing.posted());
                lane.close();
                return;
            }
            lanes.attach(index, lane);
            complete = lanes.areComplete();
        }
        if (complete) {
            unwatch();
            decided.countDown();
            pump();
        }
        try {
            lane.receive(); // bytes that arrived together with the end of the greeting
        } catch (IOException | RuntimeException e) {
            lane.failed(e);
        }
    }

    /** Fails the connection if its lanes are not connected in time. Called by the loop's thread. */
    void notConnected() {
        String what;
        synchronized (lock) {
            EndpointDescription to = peer;
            if (!isAlive() || lanes.areComplete() || peerClosed || to == null) {
                return;
            }
            late = true;
            what = (description.connectsTo(to)
                            ? "it did not answer within "
                            : "the peer did not connect to " + description + " within ")
                    + DurationText.of(limit);
        }
        fail(
                what + "; check whether its process is stopped, that the address can be reached, and "
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
                requireOpen();
            }
        }
        return completed;
    }

    @Override
    public boolean isPeerLost() {
        synchronized (lock) {
            return failure != null || peerClosed;
        }
    }

    /** Under the lock. */
    private void requireUsable() {
        requireOpen();
        if (peerClosed) {
            throw new InvalidArgumentException(
                    "the connection over tcp to " + peerName() + " was closed by the peer; connect again");
        }
    }

    /** Under the lock. */
    private void requireOpen() {
        IOException broken = failure;
        if (broken != null) {
            throw new BackendException(String.valueOf(broken.getMessage()), broken);
        }
        if (closed) {
            throw new InvalidArgumentException("the connection over tcp is closed; connect again");
        }
    }

    // Sending.

    /** Cuts waiting operations into frames, and sends as much as the sockets take. */
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

    /** Called when a socket has failed. */
    void broke(Exception e) {
        fail("the connection broke: " + e.getMessage(), e);
    }

    // Receiving; by the loop's thread.

    /** Called when a lane has received bytes; its buffer may be full. */
    void received(Lane lane, boolean more) {
        synchronized (lock) {
            if (isAlive()) {
                lane.reads(more);
            }
        }
    }

    /** Called when operations of the peer are complete in memory. */
    void stored() {
        device.wake();
        pump(); // sends the acknowledgement
    }

    /** Called when signals of the peer have been counted. */
    void signalled() {
        ConnectionListener observer = listener();
        if (observer != null) {
            observer.signalled();
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    boolean isAlive() {
        return failure == null && !closed;
    }

    /** Handles the peer's acknowledgement of all operations up to a position; false if this aborts the connection. */
    boolean acknowledged(Lane lane, long position) {
        long posted = outgoing.posted();
        if (position <= completed || position > posted) {
            refuse(lane, "an acknowledgement of operation " + position + ", after " + completed + " of " + posted);
            return false;
        }
        completed = position;
        ConnectionListener observer = listener();
        if (observer != null) {
            observer.progressed();
        }
        return true;
    }

    // Ending.

    /** Whether the peer has closed normally. */
    boolean isClosedByPeer() {
        synchronized (lock) {
            return peerClosed;
        }
    }

    /** Called when the peer has closed a lane; other lanes may still receive acknowledgements. */
    void ended(boolean inGoodOrder) {
        boolean last;
        synchronized (lock) {
            peerClosed = true;
            last = lanes.end();
            lanes.stopSending();
        }
        if (!inGoodOrder) {
            fail("the peer's process ended, or closed the connection without a goodbye", new EOFException("closed"));
        } else if (last && completed < outgoing.posted()) {
            fail("the peer closed the connection before it had taken everything", null);
        } else if (last && incoming.lacksPromised()) {
            fail("the peer closed the connection before it had sent everything that it had posted", null);
        }
    }

    /**
     * Aborts the connection after invalid data of the peer, before any of it is stored, and sends the reason to the
     * peer.
     */
    void refuse(Lane lane, String what) {
        synchronized (lock) {
            byte[] reason = ("it was sent " + what).getBytes(StandardCharsets.UTF_8);
            if (failure == null && !closed && lane.hasSpace(reason.length)) {
                MemorySegment.copy(MemorySegment.ofArray(reason), 0, lane.outgoing(), lane.payload(), reason.length);
                lane.put(Frame.REFUSE, reason.length, 0, 0, 0, 0);
                lane.hurry();
                try {
                    lane.send();
                } catch (IOException e) {
                    fail("the peer sent " + what + ", and the reason could not be sent to it: " + e.getMessage(), e);
                }
            }
        }
        fail("the peer sent " + what + "; nothing was stored. Both sides must run the same version", null);
    }

    /** Aborts the connection. The first reason is kept. Any thread may call it. */
    void fail(String what, @Nullable Throwable cause) {
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
        ConnectionListener observer = listener();
        Optional<String> reason;
        synchronized (lock) {
            reason = Optional.ofNullable(failure).map(IOException::getMessage);
        }
        if (observer != null && reason.isPresent()) {
            observer.failed(reason.get());
        }
    }

    private @Nullable ConnectionListener listener() {
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

    @Override
    public boolean tellsSignals() {
        return true;
    }

    private String peerName() {
        EndpointDescription to = peer;
        return to == null ? "a peer" : to.toString();
    }

    /** By the loop's thread. */
    private void closeLanes() {
        unwatch();
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
            if (failure == null) {
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
            if (lane != null) {
                lane.sayGoodbye(outgoing.posted());
            }
        }
    }
}
