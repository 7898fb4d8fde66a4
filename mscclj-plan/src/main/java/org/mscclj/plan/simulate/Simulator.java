package org.mscclj.plan.simulate;

import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.simulate.topology.Network;
import org.mscclj.plan.simulate.topology.Topology;

/**
 * Executes all ranks of a plan on a clock. Waiting is that of engines: blocks go through their operations in order, and wait for signals, packets,
 * semaphores, barriers and proxies; data takes links, which concurrent operations share fairly. The same arguments give the same times.
 *
 * <p>All methods may be called by any thread.
 */
public final class Simulator {
    private static final Timeline NOTHING = new Timeline(List.of(), List.of(), List.of(), List.of(), 0, 0);

    private Simulator() {}

    /**
     * Predicts how long a message takes.
     *
     * @param plan a valid plan; rank {@code r} is the topology's rank {@code r}
     * @param sliceBytes bytes of a slice: the whole buffer, or one rank's part, as in {@link LaunchGeometry}
     * @throws InvalidArgumentException if the topology has fewer ranks, or blocks that wait are never woken; the message says who waits for what
     * @throws UnsupportedException if the plan maps memory of another node, or its scratch exceeds the limit
     */
    public static Prediction simulate(Plan plan, Topology topology, long sliceBytes, SimulationOptions options) {
        LaunchGeometry geometry = LaunchGeometry.of(plan, sliceBytes, slotBytes(plan, sliceBytes, options));
        Network network = new Network(topology, plan.worldSize());
        requireMapped(plan, network);
        long rounds = geometry.rounds();
        if (rounds == 0) {
            return new Prediction(0, 0, NOTHING);
        }
        Timeline first = launch(plan, network, geometry.round(0), options);
        double nanos = first.nanos();
        if (rounds > 1) {
            RoundLayout last = geometry.round(rounds - 1);
            boolean full = last.chunkBytes() == geometry.round(0).chunkBytes();
            nanos = nanos * (rounds - 1)
                    + (full
                            ? nanos
                            : launch(plan, network, last, options.withoutSpans())
                                    .nanos());
        }
        return new Prediction(nanos, rounds, first);
    }

    private static Timeline launch(Plan plan, Network network, RoundLayout layout, SimulationOptions options) {
        return new Machine(plan, network, layout, new SpanLog(options.mostSpans())).run();
    }

    /** Payload bytes of a slot: what a chunk needs, within the limit of scratch. */
    private static long slotBytes(Plan plan, long sliceBytes, SimulationOptions options) {
        long chunks =
                plan.ranks().stream().mapToLong(RankPlan::scratchChunks).max().orElse(0);
        if (chunks == 0) {
            return 0;
        }
        long copies = chunks * (plan.protocol() == Protocol.LL ? 2 : 1) * (plan.doubleScratch() ? 2 : 1);
        int align = plan.bufferAlignment();
        long most = options.scratchLimit() / copies / align * align;
        if (most == 0) {
            throw new UnsupportedException("plan " + plan.label() + ": " + chunks + " scratch chunks take at least "
                    + copies * align + " bytes, which is more than the limit of " + options.scratchLimit()
                    + "; raise the limit, or use a plan with fewer");
        }
        long chunk = LaunchGeometry.chunkBytes(sliceBytes, LaunchGeometry.chunksPerSlice(plan), align);
        return Math.clamp(chunk, align, most);
    }

    private static void requireMapped(Plan plan, Network network) {
        for (RankPlan rank : plan.ranks()) {
            for (int peer : rank.memoryChannelPeers()) {
                requireMapped(plan, network, rank.rank(), peer);
            }
            for (RemoteBuffer buffer : rank.remoteBuffers()) {
                if (buffer.accessTypes().contains(ChannelType.MEMORY)) {
                    requireMapped(plan, network, rank.rank(), buffer.rank());
                }
            }
            for (SwitchGroup group : rank.switchGroups()) {
                for (int member : group.ranks()) {
                    requireMapped(plan, network, rank.rank(), member);
                }
            }
        }
    }

    private static void requireMapped(Plan plan, Network network, int rank, int peer) {
        if (!network.maps(rank, peer)) {
            Topology topology = network.topology();
            throw new UnsupportedException("plan " + plan.label() + " lets rank " + rank + " access the memory of rank "
                    + peer + "; in topology " + topology.label() + " they are on nodes " + topology.node(rank) + " and "
                    + topology.node(peer) + ", which only port channels join; use a plan made for "
                    + topology.ranksPerNode()
                    + " ranks on each node, or another topology: mscclj simulate --write writes this one as a file, in"
                    + " which ranks_per_node can be raised");
        }
    }
}
