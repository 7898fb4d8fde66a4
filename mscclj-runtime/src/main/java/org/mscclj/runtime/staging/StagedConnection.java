package org.mscclj.runtime.staging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A connection by way of pinned memory. Its owner's thread posts the operations of this rank; the transport's thread
 * carries out those of the peer. Each has a connection of the transport of its own.
 */
final class StagedConnection implements TransportConnection {
    private final StagedEndpoint.Connected parts;
    private final ArrivalsThread thread;
    private final Consumer<StagedConnection> whenClosed;
    private final Departures departures;
    private final Arrivals arrivals;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Whether operations of the peer are carried out; the monitor of this object is held during that. */
    private boolean serves = true;

    private volatile @Nullable ConnectionListener listener;

    /**
     * Creates a connection.
     *
     * @param parts belong to the connection from now on
     * @param memories the memory that the peer may write
     * @param whenClosed called once
     */
    StagedConnection(
            StagedEndpoint.Connected parts,
            StagedMemories memories,
            HostCopies copies,
            ArrivalsThread thread,
            Consumer<StagedConnection> whenClosed) {
        this.whenClosed = whenClosed;
        this.parts = parts;
        this.thread = thread;
        this.departures = new Departures(parts.operations(), parts.end(), parts.peer(), copies.leaving());
        this.arrivals = new Arrivals(parts.answers(), memories, parts.end(), parts.peer(), copies.arriving());
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        return departures.write(StagedMemory.of(source), sourceOffset, StagedTarget.of(target), targetOffset, bytes);
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        return departures.signal(StagedTarget.of(target), targetOffset);
    }

    @Override
    public long completed() {
        return departures.completed();
    }

    @Override
    public boolean isPeerLost() {
        return parts.operations().isPeerLost() || parts.answers().isPeerLost();
    }

    @Override
    public boolean tellsSignals() {
        return true;
    }

    @Override
    public void listen(ConnectionListener told) {
        listener = told;
        ConnectionListener inner = new ConnectionListener() {
            @Override
            public void progressed() {
                told.progressed();
            }

            @Override
            public void signalled() {
                thread.wake();
                told.progressed(); // the peer may have taken parts
            }

            @Override
            public void failed(String reason) {
                fail(reason);
            }
        };
        parts.operations().listen(inner);
        parts.answers().listen(inner);
        thread.add(this);
    }

    /** Whether the transport reports signals, so that the thread need not poll for them. */
    boolean isTold() {
        return parts.operations().tellsSignals();
    }

    /** Whether copies of the peer's operations are in flight. */
    synchronized boolean isPending() {
        return serves && arrivals.isPending();
    }

    /**
     * Carries out what the peer has sent. Called by the transport's thread.
     *
     * @return whether there was something
     */
    boolean carryOut() {
        boolean signalled = false;
        boolean worked = false;
        String failure = null;
        synchronized (this) {
            if (!serves) {
                return false;
            }
            long before = arrivals.progress();
            try {
                signalled = arrivals.advance();
                worked = arrivals.progress() != before;
            } catch (RuntimeException | Error e) { // the thread serves other connections too
                serves = false;
                failure = "an operation of the peer could not be carried out: " + e;
            }
        }
        ConnectionListener told = listener;
        if (signalled && told != null) {
            told.signalled();
        }
        if (failure != null) {
            fail(failure);
        }
        return worked;
    }

    private void fail(String reason) {
        ConnectionListener told = listener;
        if (told != null && failed.compareAndSet(false, true)) {
            told.failed(reason);
        }
    }

    /** Closes the connection. Its copies have ended when this method returns. */
    @Override
    public void close() {
        synchronized (this) {
            serves = false;
        }
        if (closed.compareAndSet(false, true)) {
            thread.remove(this);
            whenClosed.accept(this);
            List<AutoCloseable> all = new ArrayList<>(List.of(parts.end(), parts.peer()));
            all.add(parts.answers());
            all.add(parts.operations());
            all.add(departures::close);
            all.add(arrivals::close);
            Resources.close(all); // in reverse order: copies end first
        }
    }
}
