package org.mscclj.runtime.mesh;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.time.Deadline;

/**
 * This rank's control connections to all other ranks of a group of processes. Communicators share them; each has an id
 * of its own. No rank is special, so that the loss of any leaves the others connected. Safe for use by several threads.
 */
public final class Mesh implements AutoCloseable {
    /** A peer that is stopped does not answer a goodbye; it is not waited for any longer than this. */
    private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

    /** Enough for peers that live to say that they have read why this rank ends. */
    private static final Duration SHORT_GOODBYE = Duration.ofMillis(200);

    private final int rank;
    private final Duration timeout;
    private final Duration longestGoodbye;
    private final Duration shortGoodbye;
    private final Map<Integer, MeshConnection> connections = new TreeMap<>();
    private final ConcurrentMap<String, MeshGroup> groups = new ConcurrentHashMap<>();
    private final Map<Integer, String> lost = new HashMap<>();

    /**
     * A mesh, which owns the sockets.
     *
     * @param name for names of threads
     * @param sockets the connection to each other rank
     */
    public Mesh(String name, int rank, Duration timeout, Map<Integer, ControlSocket> sockets) {
        this(name, rank, timeout, sockets, LONGEST_GOODBYE, SHORT_GOODBYE);
    }

    /** With a test's patience with peers. */
    Mesh(
            String name,
            int rank,
            Duration timeout,
            Map<Integer, ControlSocket> sockets,
            Duration longestGoodbye,
            Duration shortGoodbye) {
        this.rank = rank;
        this.timeout = timeout;
        this.longestGoodbye = longestGoodbye;
        this.shortGoodbye = shortGoodbye;
        sockets.forEach((peer, socket) -> connections.put(
                peer, new MeshConnection(socket, frame -> received(peer, frame), how -> lost(peer, how))));
        connections.forEach((peer, connection) -> connection.start("mscclj-" + name + "-" + rank + "-control-" + peer));
    }

    /**
     * Opens a communicator's share of the mesh.
     *
     * @param id equal on all members, and used once
     * @param members ranks of the mesh, in the communicator's order
     */
    public MeshGroup open(String id, List<Integer> members) {
        MeshGroup group = group(id);
        group.open(List.copyOf(members));
        Map<Integer, String> gone;
        synchronized (lost) {
            gone = Map.copyOf(lost);
        }
        gone.forEach(group::lost);
        return group;
    }

    int rank() {
        return rank;
    }

    Duration timeout() {
        return timeout;
    }

    void send(int peer, byte[] frame) {
        Optional.ofNullable(connections.get(peer)).ifPresent(connection -> connection.send(frame));
    }

    void forget(MeshGroup group) {
        groups.remove(group.id(), group);
    }

    /** Peers may speak of a communicator before this rank has opened it. */
    private MeshGroup group(String id) {
        return groups.computeIfAbsent(id, unknown -> new MeshGroup(this, unknown));
    }

    private void received(int peer, MeshFrame.OfGroup frame) {
        group(frame.group()).received(peer, frame);
    }

    /** A peer is lost, for all communicators. */
    void lost(int peer, String how) {
        synchronized (lost) {
            lost.putIfAbsent(peer, how);
        }
        Collection<MeshGroup> open = List.copyOf(groups.values());
        open.forEach(group -> group.lost(peer, how));
    }

    /**
     * Says goodbye, and ends the connections when the peers have read everything that this rank has sent. Close the
     * communicators first. Idempotent.
     */
    @Override
    public void close() {
        close(longestGoodbye);
    }

    /**
     * Like {@link #close}, but hardly waits for answers: for a rank whose time is over, or which fails and shall say
     * so. What it has said is sent nevertheless, if its peers take it within some seconds.
     */
    public void closeSoon() {
        close(shortGoodbye);
    }

    private void close(Duration goodbye) {
        connections.values().forEach(MeshConnection::goodbye);
        Deadline deadline = Deadline.after(timeout).earlier(Deadline.after(goodbye));
        try {
            for (MeshConnection connection : connections.values()) {
                connection.awaitParting(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Deadline sent = Deadline.after(longestGoodbye);
        connections.values().forEach(connection -> connection.end(sent));
    }
}
