package org.mscclj.runtime.socket;

import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Connections of one listener whose other ends have not proved yet that they belong to the group. Their number is
 * limited. At the limit, one more connection displaces the oldest one of the source with most connections, so that a
 * source which connects often displaces its own connections before the connections of other sources. Each connection is
 * kept for a moment in any case: ranks that all connect at once prove themselves within it. Safe for use by several
 * threads.
 */
final class Strangers {
    private final int most;
    private final long graceNanos;

    /** Time at which each connection arrived, the oldest first. */
    private final Map<Socket, Long> since = new LinkedHashMap<>();

    /**
     * Creates an empty set.
     *
     * @param graceNanos time for which a connection is kept in any case, in nanoseconds
     */
    Strangers(int most, long graceNanos) {
        this.most = most;
        this.graceNanos = graceNanos;
    }

    /**
     * Makes space for one more connection.
     *
     * @return how long to wait before calling again, in nanoseconds; 0 if there is space
     */
    long makeRoom() {
        Socket oldest;
        synchronized (this) {
            if (since.size() < most) {
                return 0;
            }
            oldest = oldestOfMost();
            long age = System.nanoTime() - since.getOrDefault(oldest, 0L);
            if (age < graceNanos) {
                return graceNanos - age;
            }
            since.remove(oldest);
        }
        ControlSocket.closeQuietly(oldest);
        return 0;
    }

    private Socket oldestOfMost() {
        Map<Optional<InetAddress>, Integer> counts = new HashMap<>();
        since.keySet().forEach(socket -> counts.merge(source(socket), 1, Integer::sum));
        int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return since.keySet().stream()
                .filter(socket -> counts.getOrDefault(source(socket), 0) == largest)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the source of a connection; empty if the connection is broken. */
    private static Optional<InetAddress> source(Socket socket) {
        return Optional.ofNullable(socket.getInetAddress());
    }

    synchronized void add(Socket socket) {
        since.put(socket, System.nanoTime());
    }

    /** Forgets a connection that has proved itself or failed. Returns whether it was still present. */
    synchronized boolean remove(Socket socket) {
        return since.remove(socket) != null;
    }

    synchronized int count() {
        return since.size();
    }

    /** Ends all connections. */
    void close() {
        Map<Socket, Long> all;
        synchronized (this) {
            all = Map.copyOf(since);
            since.clear();
        }
        all.keySet().forEach(ControlSocket::closeQuietly);
    }
}
