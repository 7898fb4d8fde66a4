package org.mscclj.plan.program;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;

/**
 * A family of programs, one for each collective that {@link #refusal} allows, in-place mode, and number of ranks, nodes
 * and blocks.
 */
public enum ShippedProgram {
    /** One hop by packets through scratch: the least latency. */
    PACKETS,
    /** Without a copy, between buffers that peers can access. */
    DIRECT,
    /**
     * From rank to rank, without a copy, between buffers that peers can access: each passes on a part of what the root
     * sends. For a large broadcast to several ranks.
     */
    RELAY,
    /** By copies through scratch, for any buffers. */
    SCRATCH,
    /** By port channels through scratch, for peers whose memory cannot be mapped. */
    PORT,
    /**
     * On two levels, for several nodes: within a node by copies through scratch, between nodes by port channels. Less
     * crosses between nodes than with {@link #PORT}, and in fewer messages.
     */
    TWO_LEVEL,
    /**
     * Two hops by packets: contributions to the rank that owns a part, its result to all. For an allreduce that is
     * still small, but of which {@link #PACKETS} would have each rank send the whole to every other.
     */
    PACKETS_TWO_SHOT,
    /**
     * Around a ring, through scratch: partial sums once, then results once. For a large allreduce over links to
     * neighbours: each rank sends less than twice the message, whatever the number of ranks, and only to the next; the
     * number of steps grows with it.
     */
    RING,
    /**
     * By a switch that reduces and stores for all, through scratch. For an allreduce on devices that share a multicast
     * address; the CPU backend emulates it.
     */
    MULTICAST;

    private static final Set<Collective> COLLECTIVES = EnumSet.of(
            Collective.ALLREDUCE,
            Collective.REDUCESCATTER,
            Collective.ALLGATHER,
            Collective.ALLTOALL,
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    private static final ProgramCache CACHE = new ProgramCache();

    /** The name of the algorithm, for example {@code packets}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The program with a name.
     *
     * @throws InvalidArgumentException if there is none
     */
    public static ShippedProgram parse(String label) {
        return Stream.of(values())
                .filter(program -> program.label().equals(label.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "program",
                        '"' + label + '"',
                        Stream.of(values())
                                .map(ShippedProgram::label)
                                .collect(Collectors.joining(", ", "one of ", ""))));
    }

    /** Whether peers access input or output, which must then be registered; otherwise they access scratch alone. */
    public boolean sharesBuffers() {
        return this == DIRECT || this == RELAY;
    }

    /** Whose memory must be mapped. */
    public MappedPeers mappedPeers() {
        return switch (this) {
            case PORT -> MappedPeers.NONE;
            case TWO_LEVEL -> MappedPeers.SAME_NODE;
            default -> MappedPeers.ALL;
        };
    }

    /** Whether ranks reach peers by port channels. */
    public boolean usesPorts() {
        return this == PORT || this == TWO_LEVEL;
    }

    /** Whether a switch must reduce and store for all ranks, or be emulated. */
    public boolean usesSwitch() {
        return this == MULTICAST;
    }

    /** Why there is no such program; empty if there is. */
    public Optional<String> refusal(ProgramSpec spec) {
        if (!collectives().contains(spec.collective())) {
            return Optional.of("there is none for " + spec.collective());
        }
        if (this == TWO_LEVEL && spec.nodes() == 1) {
            return Optional.of("it is for several nodes, and there is one");
        }
        return this == DIRECT && spec.collective() == Collective.ALLTOALL && spec.inPlace()
                ? Optional.of("in place, a part would be overwritten before its peer has read it")
                : Optional.empty();
    }

    /** The collectives that there are programs for. */
    public Set<Collective> collectives() {
        return switch (this) {
            case PACKETS, DIRECT, SCRATCH, PORT, TWO_LEVEL -> Collections.unmodifiableSet(COLLECTIVES);
            case RELAY -> Set.of(Collective.BROADCAST);
            case PACKETS_TWO_SHOT, RING, MULTICAST -> Set.of(Collective.ALLREDUCE);
        };
    }

    /**
     * The plan for a specification: valid, for messages of any size, and with the caller's reduce operation. Equal
     * specifications mostly get the same object, in all threads.
     *
     * @throws UnsupportedException if {@link #refusal} says so
     */
    public Plan plan(ProgramSpec spec) {
        return CACHE.get(this, checked(spec));
    }

    /** The same, but another object for each call. */
    Plan makeOnce(ProgramSpec spec) {
        return make(checked(spec));
    }

    private ProgramSpec checked(ProgramSpec spec) {
        refusal(spec).ifPresent(reason -> {
            throw new UnsupportedException("program " + label() + " of " + spec.collective() + ": " + reason);
        });
        return this == TWO_LEVEL ? spec : spec.ranksPerNode(spec.ranks());
    }

    /** Makes the plan anew. */
    Plan make(ProgramSpec spec) {
        if (spec.ranks() == 1) {
            return Programs.alone(label(), spec);
        }
        return switch (this) {
            case PACKETS -> PacketPrograms.plan(label(), spec);
            case DIRECT -> DirectPrograms.plan(label(), spec);
            case RELAY -> RelayProgram.plan(label(), spec);
            case SCRATCH -> ScratchPrograms.plan(label(), spec);
            case PORT -> PortPrograms.plan(label(), spec);
            case TWO_LEVEL -> TwoLevelPrograms.plan(label(), spec);
            case PACKETS_TWO_SHOT -> TwoShotProgram.plan(label(), spec);
            case RING -> RingProgram.plan(label(), spec);
            case MULTICAST -> MulticastProgram.plan(label(), spec);
        };
    }
}
