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
 * The rendezvous of the processes of one communicator, and the commands that pass it to them. Processes of one node use
 * the name of a job. Others use an address, whose port is reserved until this is closed.
 */
public final class TestRendezvous implements AutoCloseable {
    private final int ranks;
    private final int ranksPerNode;
    private final Duration timeout;
    private final String backend;
    private final Optional<ReservedPort> port;
    private final String name = UUID.randomUUID().toString();
    private final String secret = UniqueId.randomSecret();

    private TestRendezvous(int ranks, int ranksPerNode, Duration timeout, String backend, Optional<ReservedPort> port) {
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.timeout = timeout;
        this.backend = backend;
        this.port = port;
    }

    /**
     * Creates the rendezvous of ranks that open a communicator.
     *
     * @param ranks number of ranks
     * @param ranksPerNode number of ranks on each simulated node
     * @param timeout the timeout of the communicator
     * @param backend the name of the backend
     */
    public static TestRendezvous of(int ranks, int ranksPerNode, Duration timeout, String backend) {
        return new TestRendezvous(
                ranks, ranksPerNode, timeout, backend, ranksPerNode < ranks ? Optional.of(port()) : Optional.empty());
    }

    /** Creates the rendezvous of ranks that reconfigure, and of newcomers; the parameters are those of {@link #of}. */
    public static TestRendezvous ofQuorum(int ranks, int ranksPerNode, Duration timeout, String backend) {
        return new TestRendezvous(ranks, ranksPerNode, timeout, backend, Optional.of(port()));
    }

    private static ReservedPort port() {
        return ReservedPort.on(InetAddress.getLoopbackAddress());
    }

    /** Returns the command by which a rank opens the communicator. */
    public String opening(int rank) {
        return port.map(kept -> "meet " + kept.text() + " " + secret).orElse("open stress-" + name) + " " + place(rank);
    }

    /**
     * Returns the command by which a survivor reconfigures.
     *
     * @param members the old rank of each new one, or {@link org.mscclj.api.Quorum#NEWCOMER}
     */
    public String growing(List<Integer> members) {
        return "grow " + quorum(members);
    }

    /**
     * Returns the command by which a newcomer opens the communicator of a quorum; the members are those of
     * {@link #growing}.
     */
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
