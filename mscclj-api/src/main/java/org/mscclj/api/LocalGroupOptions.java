package org.mscclj.api;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;

/** How a {@link LocalGroup} is opened. Immutable; start from {@link #ranks} and refine. */
public final class LocalGroupOptions {
    private final int ranks;
    private final int ranksPerNode;
    private final Optional<String> backend;
    private final Duration timeout;
    private final String name;
    private final Optional<PlanVerification> verification;

    private LocalGroupOptions(
            int ranks,
            int ranksPerNode,
            Optional<String> backend,
            Duration timeout,
            String name,
            Optional<PlanVerification> verification) {
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.backend = backend;
        this.timeout = timeout;
        this.name = name;
        this.verification = verification;
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
        return new LocalGroupOptions(ranks, ranks, Optional.empty(), Duration.ofMinutes(10), "local", Optional.empty());
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
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name, verification);
    }

    /** With the backend of the given name. */
    public LocalGroupOptions backend(String backend) {
        return new LocalGroupOptions(ranks, ranksPerNode, Optional.of(backend), timeout, name, verification);
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
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name, verification);
    }

    /** With the given name, which appears in messages. */
    public LocalGroupOptions name(String name) {
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name, verification);
    }

    /** With the given treatment of plans that are not proved; without this, what {@value PlanVerification#VARIABLE} says, else off. */
    public LocalGroupOptions verifyPlans(PlanVerification verification) {
        return new LocalGroupOptions(ranks, ranksPerNode, backend, timeout, name, Optional.of(verification));
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

    /** What becomes of plans that are not proved; empty for what the environment says. */
    public Optional<PlanVerification> planVerification() {
        return verification;
    }
}
