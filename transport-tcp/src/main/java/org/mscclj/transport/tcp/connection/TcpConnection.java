package org.mscclj.transport.tcp.connection;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.link.LinkStream;
import org.mscclj.transport.tcp.memory.TcpLocalMemory;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;
import org.mscclj.transport.tcp.memory.WritableMemoryTable;

/**
 * A connection to one peer over several sockets. The thread that posts an operation sends as much as the sockets take;
 * the event loop sends the rest.
 */
public final class TcpConnection implements TransportConnection {
    private final ProcessSockets sockets;
    private final BackendDevice device;
    private final Consumer<TcpConnection> onClose;

    private final Object lock = new Object();
    private final Lanes lanes;
    private final LaneConnector connector;
    private final Outgoing outgoing;
    private final Incoming incoming;

    private @Nullable ConnectionListener listener;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;
    private boolean peerClosed;

    /** The position up to which the peer has acknowledged. Only the loop's thread writes it. */
    private volatile long completed;

    public TcpConnection(
            ProcessSockets sockets,
            BackendDevice device,
            WritableMemoryTable memories,
            Consumer<TcpConnection> onClose) {
        this.sockets = sockets;
        this.device = device;
        this.onClose = onClose;
        this.lanes = new Lanes(sockets.settings().lanes());
        this.connector = new LaneConnector(this, sockets, lanes, lock);
        this.outgoing = new Outgoing(lanes);
        this.incoming = new Incoming(this, lanes, memories);
        sockets.add(connector);
    }

    public EndpointDescription description() {
        return connector.description();
    }

    // Connecting.

    /**
     * Connects to the peer's endpoint, and returns when its process has answered. If it is the peer that connects, this
     * call returns at once, since the peer may in the same way be waiting for another rank.
     *
     * @throws OperationTimeoutException if the peer does not answer within the limit
     */
    public void connect(EndpointDescription to, Duration within) {
        if (connector.connect(to, within)) {
            synchronized (lock) {
                IOException why = failure;
                if (why != null && connector.isLate()) {
                    throw new OperationTimeoutException(String.valueOf(why.getMessage()), List.of());
                }
                requireUsable();
            }
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
            connector.decided();
            pump();
        }
        try {
            lane.receive(); // bytes that arrived together with the end of the greeting
        } catch (IOException | RuntimeException e) {
            lane.failed(e);
        }
    }

    // Posting.

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        return post(TcpLocalMemory.of(source), sourceOffset, TcpRemoteMemory.of(target), targetOffset, bytes);
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        return post(null, 0, TcpRemoteMemory.of(target), targetOffset, 0);
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
                    "the connection over tcp to " + connector.peerName() + " was closed by the peer; connect again");
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
    public boolean isClosedByPeer() {
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
            if (isAlive()) {
                try {
                    lane.sendRefusal("it was sent " + what);
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
            failure = new IOException("connection over tcp to " + connector.peerName() + ": " + what, cause);
            outgoing.clear();
        }
        sockets.loop().execute(() -> {
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
            sockets.loop().execute(this::tell);
        }
    }

    @Override
    public boolean tellsSignals() {
        return true;
    }

    /** By the loop's thread. */
    private void closeLanes() {
        sockets.remove(connector);
        connector.decided();
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
        sockets.loop().execute(this::closeLanes);
    }

    private void sayGoodbye() {
        pump();
        lanes.sayGoodbye(outgoing.posted());
    }
}
