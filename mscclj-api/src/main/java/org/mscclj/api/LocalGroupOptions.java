package org.mscclj.api;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/** How a {@link LocalGroup} is opened. Immutable; start from {@link #ranks} and refine. */
public final class LocalGroupOptions {
    private final int ranks;
    private final int ranksPerNode;
    private final Optional<String> backend;
    private final Duration timeout;
    private final String name;

    private LocalGroupOptions(int ranks, int ranksPerNode, Optional<String> backend, Duration timeout, String name) {
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.backend = backend;
        this.timeout = timeout;
        this.name = name;
    }

    /**
     * Options for the given number of ranks: the best available backend, one node, a timeout of 600 seconds.
     *
     * @throws InvalidArgumentException if there is not at least one rank
     */
    public static LocalGroupOptions ranks(int ranks) {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks", ranks, "1 or more");
        }
        return new LocalGroupOptions(ranks, ranks, Optional.empty(), Duration.ofMinutes(10), "local");
    }

    /**
     * With ranks treated as if on different nodes, {@code ranksPerNode} on each: between nodes no memory is mapped, and port channels
     * take a transport that leaves the node. It is part of what plans are selected by.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public LocalGroupOptions ranksPerNode(int ranksPerNode) {
        if (ranksPerNode < 1 || ranks % ranksPerNode != 0) {
            throw InvalidArgumentException.of("ranks per node", ranksPerNode, "a divisor of " + ranks);
        }
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name);
    }

    /** With the backend of the given name. */
    public LocalGroupOptions backend(String backend) {
        return new LocalGroupOptions(ranks, ranksPerNode, Optional.of(backend), timeout, name);
    }

    /**
     * With the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public LocalGroupOptions timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw InvalidArgumentException.of("timeout", timeout, "more than 0");
        }
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name);
    }

    /** With the given name, which appears in messages. */
    public LocalGroupOptions name(String name) {
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name);
    }

    /** Number of ranks. */
    public int ranks() {
        return ranks;
    }

    /** Ranks on each node. */
    public int ranksPerNode() {
        return ranksPerNode;
    }

    /** The backend's name; empty for the best available one. */
    public Optional<String> backend() {
        return backend;
    }

    /** Default timeout. */
    public Duration timeout() {
        return timeout;
    }

    /** The group's name. */
    public String name() {
        return name;
    }
}
