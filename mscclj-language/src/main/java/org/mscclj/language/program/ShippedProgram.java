package org.mscclj.language.program;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * A family of programs, with one program for each collective that {@link #refusal} accepts, in-place mode, and number
 * of ranks, nodes and blocks.
 */
public enum ShippedProgram {
    /** One hop by packets through scratch: the least latency. */
    PACKETS,
    /** Without copies, between buffers that peers can access. */
    DIRECT,
    /** {@link #DIRECT}, where ranks store into the outputs of their peers instead of reading: for large messages. */
    DIRECT_STORE,
    /**
     * From rank to rank without copies, between buffers that peers can access: each rank forwards a part of the root's
     * data. For a large broadcast to several ranks.
     */
    RELAY,
    /** By copies through scratch, for any buffers. */
    SCRATCH,
    /** By port channels through scratch, for peers whose memory cannot be mapped. */
    PORT,
    /**
     * Two levels, for several nodes: copies through scratch within a node, port channels between nodes. Less data
     * crosses between nodes than with {@link #PORT}, in fewer messages.
     */
    TWO_LEVEL,
    /**
     * Two hops by packets: contributions to the rank that owns a part, its result to all ranks. For an allreduce of
     * medium size, for which {@link #PACKETS} would send the whole message to every peer.
     */
    PACKETS_TWO_SHOT,
    /**
     * {@link #PACKETS} that devices may send as lines of 128 bytes, 120 of which are payload: for messages of medium
     * size, where the bytes count more than the hop.
     */
    PACKETS_LL128,
    /** {@link #PACKETS_TWO_SHOT} in lines, like {@link #PACKETS_LL128}. */
    PACKETS_TWO_SHOT_LL128,
    /**
     * Around a ring, through scratch: partial sums once, then results once. For a large allreduce over links to
     * neighbours: each rank sends less than twice the message, for any number of ranks, and only to the next rank; the
     * number of steps grows with the number of ranks.
     */
    RING,
    /**
     * By a switch that reduces and stores for all ranks, through scratch. For devices that share a multicast address;
     * the CPU backend emulates it.
     */
    MULTICAST,
    /** {@link #MULTICAST} without copies, between buffers that peers can access. */
    MULTICAST_DIRECT,
    /** {@link #PACKETS} that a switch stores for all ranks: each rank sends one packet for each element. */
    MULTICAST_PACKETS,
    /** The allreduce of {@link #MULTICAST} in units, so that copies and the switch are busy at once. */
    MULTICAST_PIPELINE;

    private static final Set<Collective> COLLECTIVES = EnumSet.of(
            Collective.ALLREDUCE,
            Collective.REDUCESCATTER,
            Collective.ALLGATHER,
            Collective.ALLTOALL,
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    /** A ring adds what came to its own part, and stores the sum at the next rank and in its output. */
    private static final int RING_OPERANDS = 4;

    private static final ProgramCache CACHE = new ProgramCache();

    /** The name of the algorithm, for example {@code packets}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The family with a name.
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

    /** Whether peers access input or output, which must be registered; otherwise they access scratch only. */
    public boolean sharesBuffers() {
        return this == DIRECT || this == DIRECT_STORE || this == RELAY || this == MULTICAST_DIRECT;
    }

    /** The peers whose memory must be mapped. */
    public MappedPeers mappedPeers() {
        return switch (this) {
            case PORT -> MappedPeers.NONE;
            case TWO_LEVEL -> MappedPeers.SAME_NODE;
            default -> MappedPeers.ALL;
        };
    }

    /** Whether ranks reach peers through port channels. */
    public boolean usesPorts() {
        return this == PORT || this == TWO_LEVEL;
    }

    /** Whether the program needs a switch that reduces and stores for all ranks, or its emulation. */
    public boolean usesSwitch() {
        return switch (this) {
            case MULTICAST, MULTICAST_DIRECT, MULTICAST_PACKETS, MULTICAST_PIPELINE -> true;
            default -> false;
        };
    }

    /** Whether devices may send packets of the program as lines of 128 bytes. */
    public boolean usesLines() {
        return this == PACKETS_LL128 || this == PACKETS_TWO_SHOT_LL128;
    }

    /**
     * An upper bound of the operands of an operation of the program, those of several ranks counted for each rank; the
     * most operands themselves, unless the program is for several nodes.
     */
    public int mostOperands(ProgramSpec spec) {
        if (this == RING) {
            return RING_OPERANDS;
        }
        if (usesSwitch()) { // a store for all ranks, after a load from one, or from all
            boolean sums = spec.collective().reduces() && this != MULTICAST_PACKETS;
            return (sums ? spec.ranks() : 1) + spec.ranks();
        }
        if (!spec.collective().reduces()) {
            return 2;
        }
        if (this == TWO_LEVEL) {
            return 1 + Math.min(NodeBlock.MOST_OPERANDS, Math.max(spec.ranksPerNode(), spec.nodes()));
        }
        boolean sumsAndStores = switch (this) {
            case DIRECT, SCRATCH, PACKETS_TWO_SHOT, PACKETS_TWO_SHOT_LL128 -> true;
            default -> false;
        };
        return sumsAndStores && spec.collective() == Collective.ALLREDUCE ? 2 * spec.ranks() : 1 + spec.ranks();
    }

    /** The reason why there is no such program; empty if there is one. */
    public Optional<String> refusal(ProgramSpec spec) {
        if (!collectives().contains(spec.collective())) {
            return Optional.of("there is none for " + spec.collective());
        }
        if (this == TWO_LEVEL && spec.nodes() == 1) {
            return Optional.of("it is for several nodes, and there is one");
        }
        return (this == DIRECT || this == DIRECT_STORE) && spec.collective() == Collective.ALLTOALL && spec.inPlace()
                ? Optional.of("in place, a part would be overwritten before its peer has read it")
                : Optional.empty();
    }

    /** The collectives with a program. */
    public Set<Collective> collectives() {
        return switch (this) {
            case PACKETS, PACKETS_LL128, DIRECT, SCRATCH, PORT, TWO_LEVEL -> Collections.unmodifiableSet(COLLECTIVES);
            case DIRECT_STORE -> Set.of(Collective.ALLGATHER, Collective.ALLTOALL);
            case RELAY -> Set.of(Collective.BROADCAST);
            case MULTICAST ->
                Set.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.ALLGATHER, Collective.BROADCAST);
            case MULTICAST_DIRECT -> Set.of(Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BROADCAST);
            case PACKETS_TWO_SHOT, PACKETS_TWO_SHOT_LL128, RING, MULTICAST_PACKETS, MULTICAST_PIPELINE ->
                Set.of(Collective.ALLREDUCE);
        };
    }

    /**
     * The plan for a specification: valid for messages of any size, with the caller's reduce operation. Equal
     * specifications mostly return the same object, on all threads.
     *
     * @throws UnsupportedException if {@link #refusal} gives a reason
     */
    public Plan plan(ProgramSpec spec) {
        return CACHE.get(this, checked(spec));
    }

    /**
     * Builds the plan anew at each call; does not cache it.
     *
     * @throws UnsupportedException if {@link #refusal} gives a reason
     */
    public Plan makeOnce(ProgramSpec spec) {
        return make(checked(spec));
    }

    /**
     * The largest number of thread blocks of a rank that serve its peers, if other blocks copy the rank's own part of
     * the data.
     *
     * @return empty if the blocks that serve the peers copy the own part too, or if there is none to copy
     */
    public OptionalInt blocksForPeers(ProgramSpec spec) {
        if (!DirectPrograms.copiesOwnPart(spec)) {
            return OptionalInt.empty();
        }
        return switch (this) {
            case DIRECT -> OptionalInt.of(DirectPrograms.MAX_READERS);
            case DIRECT_STORE -> OptionalInt.of(DirectPrograms.WRITERS);
            default -> OptionalInt.empty();
        };
    }

    private ProgramSpec checked(ProgramSpec spec) {
        refusal(spec).ifPresent(reason -> {
            throw new UnsupportedException("program " + label() + " of " + spec.collective() + ": " + reason);
        });
        return this == TWO_LEVEL ? spec : spec.ranksPerNode(spec.ranks());
    }

    /** Builds the plan. */
    Plan make(ProgramSpec spec) {
        if (spec.ranks() == 1) {
            return Programs.alone(label(), spec);
        }
        return switch (this) {
            case PACKETS -> PacketPrograms.plan(label(), spec, Protocol.LL);
            case PACKETS_LL128 -> PacketPrograms.plan(label(), spec, Protocol.LL128);
            case DIRECT -> DirectPrograms.plan(label(), spec);
            case DIRECT_STORE -> DirectPrograms.storeAll(label(), spec);
            case RELAY -> RelayProgram.plan(label(), spec);
            case SCRATCH -> ScratchPrograms.plan(label(), spec);
            case PORT -> PortPrograms.plan(label(), spec);
            case TWO_LEVEL -> TwoLevelPrograms.plan(label(), spec);
            case PACKETS_TWO_SHOT -> TwoShotProgram.plan(label(), spec, Protocol.LL);
            case PACKETS_TWO_SHOT_LL128 -> TwoShotProgram.plan(label(), spec, Protocol.LL128);
            case RING -> RingProgram.plan(label(), spec);
            case MULTICAST -> MulticastProgram.plan(label(), spec);
            case MULTICAST_DIRECT -> MulticastDirectProgram.plan(label(), spec);
            case MULTICAST_PACKETS -> MulticastPacketProgram.plan(label(), spec);
            case MULTICAST_PIPELINE -> MulticastPipelineProgram.plan(label(), spec);
        };
    }
}
