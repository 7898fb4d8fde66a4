package org.mscclj.runtime.socket;

import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connections of one listener whose other ends have not proved yet that they belong to the group. There are at most
 * so many. One more takes the place of the oldest of the source that has most, so that a source which connects often
 * displaces its own connections before those of others. A connection is kept for a moment in any case: ranks that come
 * all at once prove themselves within it. Safe for use by several threads.
 */
final class Strangers {
    private final int most;
    private final long graceNanos;

    /** When each came, the oldest first. */
    private final Map<Socket, Long> since = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param graceNanos how long a connection is kept in any case
     */
    Strangers(int most, long graceNanos) {
        this.most = most;
        this.graceNanos = graceNanos;
    }

    /**
     * Makes room for one more.
     *
     * @return how long to wait before asking again, in nanoseconds; 0 if there is room
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

    /** Empty of a connection that is broken. */
    private static Optional<InetAddress> source(Socket socket) {
        return Optional.ofNullable(socket.getInetAddress());
    }

    synchronized void add(Socket socket) {
        since.put(socket, System.nanoTime());
    }

    /** Forgets one that has proved itself or failed; whether it was still there. */
    synchronized boolean remove(Socket socket) {
        return since.remove(socket) != null;
    }

    synchronized int count() {
        return since.size();
    }

    /** Ends all. */
    void close() {
        Map<Socket, Long> all;
        synchronized (this) {
            all = Map.copyOf(since);
            since.clear();
        }
        all.keySet().forEach(ControlSocket::closeQuietly);
    }
}
