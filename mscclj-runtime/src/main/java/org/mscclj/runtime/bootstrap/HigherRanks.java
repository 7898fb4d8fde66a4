package org.mscclj.runtime.bootstrap;

import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.socket.Acceptor;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.HandshakeException;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.time.Deadline;

/**
 * Collects the control connections of a rank while they are made. Closing this object closes them, unless {@link #take}
 * has returned them.
 */
final class HigherRanks implements AutoCloseable {
    private final int rank;
    private final int size;
    private final Acceptor acceptor;
    private final Map<Integer, ControlSocket> sockets;
    private @Nullable RuntimeException failure;
    private boolean over;

    /** Starts to accept connections from the ranks above this one. */
    HigherRanks(ServerSocket listener, Credentials credentials, Map<Integer, ControlSocket> lower) {
        this.rank = credentials.handshake().rank();
        this.size = credentials.handshake().size();
        this.sockets = new HashMap<>(lower);
        this.acceptor = new Acceptor(listener, credentials, Purpose.CONTROL, (peer, socket) -> {
            if (peer < rank || !add(peer, socket)) {
                socket.close();
                throw new HandshakeException("rank " + peer + " connects once too often");
            }
        });
    }

    /** Adds a connection. Returns false if a connection to that rank exists already. */
    synchronized boolean add(int peer, ControlSocket socket) {
        if (over || sockets.putIfAbsent(peer, socket) != null) {
            return false;
        }
        notifyAll();
        return true;
    }

    int port() {
        return acceptor.port();
    }

    /** Ends the wait, because the group does not form. */
    synchronized void fail(RuntimeException why) {
        failure = why;
        notifyAll();
    }

    /** Throws the reason why the group does not form, if it is known. */
    synchronized void requireNoFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Waits for the connections to all other ranks.
     *
     * @throws OperationTimeoutException if some ranks do not connect in time; names them
     */
    synchronized void awaitAll(Deadline deadline, Duration timeout) {
        try {
            while (sockets.size() < size - 1) {
                requireNoFailure();
                long left = deadline.left();
                if (left == 0) {
                    throw timedOut(timeout);
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for the control connections of other ranks", e);
        }
    }

    /** Returns the connections. The caller owns them from then on. */
    synchronized Map<Integer, ControlSocket> take() {
        over = true;
        return Map.copyOf(sockets);
    }

    private OperationTimeoutException timedOut(Duration timeout) {
        List<Integer> missing = IntStream.range(0, size)
                .filter(peer -> peer != rank && !sockets.containsKey(peer))
                .boxed()
                .toList();
        return new OperationTimeoutException(
                "bootstrap: rank " + rank + " waited " + DurationText.of(timeout) + " for ranks " + missing
                        + ", which came to the rendezvous but did not connect to port " + acceptor.port()
                        + acceptor.refusals().map(refusals -> "; " + refusals).orElse("")
                        + "; look whether they have ended, and whether a firewall is between",
                missing);
    }

    @Override
    public synchronized void close() {
        acceptor.close();
        if (!over) {
            over = true;
            sockets.values().forEach(ControlSocket::close);
        }
    }
}
