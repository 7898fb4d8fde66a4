package org.mscclj.cli.stress.fault;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.mscclj.api.UniqueId;
import org.mscclj.cli.launch.ReservedPort;

/**
 * The place where the processes of one communicator meet, and the lines that tell them so. Processes of one node find
 * each other by a job's name. Others find each other by an address, which is kept for them until this is closed.
 */
public final class Rendezvous implements AutoCloseable {
    private final int ranks;
    private final int ranksPerNode;
    private final Duration timeout;
    private final String backend;
    private final Optional<ReservedPort> port;
    private final String name = UUID.randomUUID().toString();
    private final String secret = UniqueId.randomSecret();

    private Rendezvous(int ranks, int ranksPerNode, Duration timeout, String backend, Optional<ReservedPort> port) {
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.timeout = timeout;
        this.backend = backend;
        this.port = port;
    }

    /**
     * Of ranks that open a communicator.
     *
     * @param ranks number of ranks
     * @param ranksPerNode ranks that are treated as if on the same node
     * @param timeout the communicator's
     * @param backend its name
     */
    public static Rendezvous of(int ranks, int ranksPerNode, Duration timeout, String backend) {
        return new Rendezvous(
                ranks, ranksPerNode, timeout, backend, ranksPerNode < ranks ? Optional.of(port()) : Optional.empty());
    }

    /** Of ranks that reconfigure, and newcomers; the parameters are those of {@link #of}. */
    public static Rendezvous ofQuorum(int ranks, int ranksPerNode, Duration timeout, String backend) {
        return new Rendezvous(ranks, ranksPerNode, timeout, backend, Optional.of(port()));
    }

    private static ReservedPort port() {
        return ReservedPort.on(InetAddress.getLoopbackAddress());
    }

    /** What tells a rank to open the communicator. */
    public String opening(int rank) {
        return port.map(kept -> "meet " + kept.text() + " " + secret).orElse("open stress-" + name) + " " + place(rank);
    }

    /**
     * What tells a survivor to reconfigure.
     *
     * @param members the old rank of each new one, or {@link org.mscclj.api.Quorum#NEWCOMER}
     */
    public String growing(List<Integer> members) {
        return "grow " + quorum(members);
    }

    /** What tells a newcomer to open the communicator of a quorum; the members are those of {@link #growing}. */
    public String joining(List<Integer> members, int rank) {
        return "join " + quorum(members) + " " + place(rank);
    }

    private String quorum(List<Integer> members) {
        return name + " " + members.stream().map(Object::toString).collect(Collectors.joining(",")) + " " + ranksPerNode
                + " " + port.orElseThrow().text() + " " + secret;
    }

    private String place(int rank) {
        return rank + " " + ranks + " " + ranksPerNode + " " + timeout.toMillis() + " " + backend;
    }

    @Override
    public void close() {
        port.ifPresent(ReservedPort::close);
    }
}
