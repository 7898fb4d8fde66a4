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
 * Control connections of this rank to all other ranks of a group of processes. Communicators share the connections;
 * each communicator has its own id. No rank is special, so the loss of any rank leaves the others connected. Safe for
 * use by several threads.
 */
public final class Mesh implements AutoCloseable {
    /** Maximum time to wait for an answer to a goodbye. A stopped peer does not answer. */
    private static final Duration MAX_GOODBYE = Duration.ofSeconds(5);

    /** Time that is enough for live peers to confirm that they have read the reason why this rank ends. */
    private static final Duration SHORT_GOODBYE = Duration.ofMillis(200);

    private final int rank;
    private final Duration timeout;
    private final Duration longestGoodbye;
    private final Duration shortGoodbye;
    private final Map<Integer, MeshConnection> connections = new TreeMap<>();
    private final ConcurrentMap<String, MeshGroup> groups = new ConcurrentHashMap<>();
    private final Map<Integer, String> lost = new HashMap<>();

    /**
     * Creates a mesh, which owns the sockets.
     *
     * @param name used in names of threads
     * @param sockets the connection to each other rank
     */
    public Mesh(String name, int rank, Duration timeout, Map<Integer, ControlSocket> sockets) {
        this(name, rank, timeout, sockets, MAX_GOODBYE, SHORT_GOODBYE);
    }

    /** Creates a mesh with the test's timeouts for peers. */
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

    /** Returns the group of an id. Peers may send frames of a communicator before this rank has opened it. */
    private MeshGroup group(String id) {
        return groups.computeIfAbsent(id, unknown -> new MeshGroup(this, unknown));
    }

    private void received(int peer, MeshFrame.OfGroup frame) {
        group(frame.group()).received(peer, frame);
    }

    /** Marks a peer as lost, for all communicators. */
    void lost(int peer, String how) {
        synchronized (lost) {
            lost.putIfAbsent(peer, how);
        }
        Collection<MeshGroup> open = List.copyOf(groups.values());
        open.forEach(group -> group.lost(peer, how));
    }

    /**
     * Sends a goodbye, and ends the connections when the peers have read everything that this rank has sent. The
     * communicators must be closed first. Idempotent.
     */
    @Override
    public void close() {
        close(longestGoodbye);
    }

    /**
     * Closes like {@link #close}, but hardly waits for answers: for a rank whose time is over, or a rank that fails and
     * must report why. Frames that it has sent still go out, if its peers receive them within some seconds.
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
