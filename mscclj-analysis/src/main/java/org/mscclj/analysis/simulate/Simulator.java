package org.mscclj.analysis.simulate;

import java.util.List;
import java.util.Optional;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Network;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.analysis.walk.FusedForm;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.layout.ScratchNeed;

/**
 * Executes all ranks of a plan on a simulated clock. Waits have the semantics of the engines: blocks execute their
 * operations in order, and wait for signals, packets, semaphores, barriers and proxies. Data uses links, which
 * concurrent operations share fairly. Equal arguments give equal times.
 *
 * <p>Thread-safe.
 */
public final class Simulator {
    /** Some minutes of simulation. Pipelines can have billions of iterations, which would not finish. */
    static final long MAX_OPERATIONS = 100_000_000;

    private static final Timeline NOTHING = new Timeline(List.of(), List.of(), List.of(), List.of(), 0, 0);

    private Simulator() {}

    /**
     * Predicts the duration of a message.
     *
     * @param plan a valid plan; its rank {@code r} runs on the topology's rank {@code r}
     * @param sliceBytes bytes of a slice: the whole buffer, or one rank's part, as in {@link LaunchGeometry}
     * @throws InvalidArgumentException if the topology has fewer ranks, or if blocks deadlock; the message lists the
     *     waiting blocks
     * @throws UnsupportedException if the plan maps memory of another node, if its scratch exceeds the limit, or if a
     *     launch has more than 100,000,000 operations, each iteration of a pipeline counted
     */
    public static Prediction simulate(Plan plan, Topology topology, long sliceBytes, SimulationOptions options) {
        return simulate(plan, topology, sliceBytes, options, SimulationProgress.NONE);
    }

    /** Like {@link #simulate(Plan, Topology, long, SimulationOptions)}, and reports progress. */
    public static Prediction simulate(
            Plan plan, Topology topology, long sliceBytes, SimulationOptions options, SimulationProgress progress) {
        LaunchGeometry geometry = LaunchGeometry.of(plan, sliceBytes, slotBytes(plan, sliceBytes, options));
        Network network = new Network(topology, plan.worldSize());
        requireMapped(plan, network);
        long rounds = geometry.rounds();
        if (rounds == 0) {
            return new Prediction(0, 0, NOTHING);
        }
        Timeline first = launch(plan, network, geometry.round(0), options, progress);
        double nanos = first.nanos();
        if (rounds > 1) {
            RoundLayout last = geometry.round(rounds - 1);
            boolean full = last.chunkBytes() == geometry.round(0).chunkBytes();
            nanos = nanos * (rounds - 1)
                    + (full
                            ? nanos
                            : launch(plan, network, last, options.withoutSpans(), progress)
                                    .nanos());
        }
        return new Prediction(nanos, rounds, first);
    }

    private static Timeline launch(
            Plan plan, Network network, RoundLayout layout, SimulationOptions options, SimulationProgress progress) {
        Topology topology = network.topology();
        Optional<FusedForm> fused =
                topology.costs().fused().flatMap(_ -> FusedForm.of(plan, layout, topology.mayUseLines()));
        long operations = operations(plan, layout, fused);
        if (operations > MAX_OPERATIONS) {
            throw new UnsupportedException("plan " + plan.label() + ": a launch of " + layout.bytes()
                    + " bytes of each slice has " + operations
                    + " operations, each iteration of a pipeline counted; the"
                    + " simulator follows at most " + MAX_OPERATIONS
                    + "; simulate a smaller message, or a plan whose pipelines have fewer chunks or larger units");
        }
        return new SimulatedMachine(plan, network, layout, fused, new SpanLog(options.maxSpans()), operations, progress)
                .run();
    }

    /** Operations of a launch; {@link Long#MAX_VALUE} if there are more. */
    private static long operations(Plan plan, RoundLayout layout, Optional<FusedForm> fused) {
        double operations = 0; // cannot overflow
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                long turns = fused.map(form -> form.turns(block, plan, layout)).orElse(1L);
                for (Operation operation : block.operations()) {
                    operations += operation instanceof Operation.Pipeline pipeline
                            ? (double) layout.iterations(pipeline.chunks(), pipeline.unitSize())
                                    * pipeline.operations().size()
                            : turns;
                }
            }
        }
        return (long) operations;
    }

    /** Payload bytes of a slot: those of a chunk, within the limit of scratch. */
    private static long slotBytes(Plan plan, long sliceBytes, SimulationOptions options) {
        long copies = ScratchNeed.bytesForEach(plan);
        if (copies == 0) {
            return 0;
        }
        int align = plan.bufferAlignment();
        long most = options.scratchLimit() / copies / align * align;
        if (most == 0) {
            throw new UnsupportedException("plan " + plan.label() + ": its scratch takes at least "
                    + ScratchNeed.leastBytes(plan) + " bytes, which is more than the limit of " + options.scratchLimit()
                    + "; raise the limit, or use a plan with fewer chunks");
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
