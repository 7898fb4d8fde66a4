package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.analysis.simulate.flow.Clock;
import org.mscclj.analysis.simulate.flow.FlowNetwork;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Costs;
import org.mscclj.analysis.simulate.topology.FusedCosts;
import org.mscclj.analysis.simulate.topology.Link;
import org.mscclj.analysis.simulate.topology.Network;
import org.mscclj.analysis.simulate.topology.Route;
import org.mscclj.analysis.walk.FusedForm;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.plan.validation.RelaxedSignals;

/** Simulates one launch of all ranks. */
final class SimulatedMachine {
    private static final int MAX_WAITING = 8;

    /** Operations between two progress reports, less 1. */
    private static final long PROGRESS = (1 << 20) - 1;

    private final Plan plan;
    private final Network network;
    private final RoundLayout layout;
    private final SpanLog log;
    private final Clock clock = new Clock();
    private final FlowNetwork flows;
    private final ChannelPairing memoryPairing;
    private final ChannelPairing portPairing;
    private final Set<OperationAddress> raised;
    private final List<SimulatedRank> ranks = new ArrayList<>();
    private final Optional<FusedForm> fused;
    private final long operations;
    private final SimulationProgress progress;
    private int running;
    private long ended;

    /**
     * Creates a machine before the launch.
     *
     * @param fused the form of the launch, if its blocks are fused
     * @param operations operations of the launch, for progress reports
     */
    SimulatedMachine(
            Plan plan,
            Network network,
            RoundLayout layout,
            Optional<FusedForm> fused,
            SpanLog log,
            long operations,
            SimulationProgress progress) {
        this.fused = fused;
        this.operations = operations;
        this.progress = progress;
        this.plan = plan;
        this.network = network;
        this.layout = layout;
        this.log = log;
        this.flows = new FlowNetwork(clock, network.links());
        this.memoryPairing = ChannelPairing.of(plan, ChannelType.MEMORY);
        this.portPairing = ChannelPairing.of(plan, ChannelType.PORT);
        this.raised = Set.copyOf(RelaxedSignals.needingRelease(plan));
        for (RankPlan rank : plan.ranks()) {
            ranks.add(new SimulatedRank(this, rank, memoryPairing.slots(rank.rank()), portPairing.slots(rank.rank())));
        }
    }

    /**
     * Runs the launch to its end.
     *
     * @throws InvalidArgumentException if blocks deadlock
     */
    Timeline run() {
        double begin = costs().launch() + beginOfBlocks();
        log.close(SpanLog.NONE, begin, 0);
        for (SimulatedRank rank : ranks) {
            for (SimulatedBlock block : rank.blocks()) {
                running++;
                block.advanceAt(begin);
            }
        }
        clock.run(flows::settle);
        if (running > 0) {
            throw deadlock();
        }
        List<LinkUse> uses = new ArrayList<>();
        for (int id = 0; id < network.links().size(); id++) {
            Link link = network.links().get(id);
            if (flows.bytes(id) > 0) {
                uses.add(new LinkUse(link.name(), link.bandwidth(), Math.round(flows.bytes(id)), flows.busy(id)));
            }
        }
        return log.timeline(uses);
    }

    private double beginOfBlocks() {
        return fused.map(form ->
                        fusedCosts().begin() + (form.lines() ? fusedCosts().lines() : 0))
                .orElseGet(() -> costs().begin());
    }

    private InvalidArgumentException deadlock() {
        List<String> waiting = ranks.stream()
                .flatMap(rank -> rank.blocks().stream())
                .flatMap(block -> block.waiting().stream())
                .toList();
        String shown = waiting.stream().limit(MAX_WAITING).collect(Collectors.joining("; "));
        return new InvalidArgumentException("plan " + plan.label() + " deadlocks: " + shown
                + (waiting.size() > MAX_WAITING ? "; and " + (waiting.size() - MAX_WAITING) + " more blocks" : "")
                + "; run mscclj plan verify for details");
    }

    Plan plan() {
        return plan;
    }

    Network network() {
        return network;
    }

    RoundLayout layout() {
        return layout;
    }

    SpanLog log() {
        return log;
    }

    Clock clock() {
        return clock;
    }

    FlowNetwork flows() {
        return flows;
    }

    Costs costs() {
        return network.topology().costs();
    }

    FusedCosts fusedCosts() {
        return costs().fused().orElseThrow();
    }

    /** The form of the launch; empty if its blocks are not fused. */
    Optional<FusedForm> fused() {
        return fused;
    }

    /** Number of times that a block carries out its operations. */
    long turns(ThreadBlock block) {
        return fused.map(form -> form.turns(block, plan, layout)).orElse(1L);
    }

    SimulatedRank rank(int rank) {
        return ranks.get(rank);
    }

    void blockEnded() {
        running--;
    }

    void operationEnded() {
        ended++;
        if ((ended & PROGRESS) == 0) {
            progress.simulated(ended, operations);
        }
    }

    /** Whether engines raise a relaxed signal to a full one. */
    boolean isRaised(OperationAddress address) {
        return raised.contains(address);
    }

    /** Whether engines raise any relaxed signal of the plan. */
    boolean raisesSignals() {
        return !raised.isEmpty();
    }

    long iterations(Operation.Pipeline pipeline) {
        return layout.iterations(pipeline.chunks(), pipeline.unitSize());
    }

    /**
     * Sends a signal.
     *
     * @param time time at which it leaves
     */
    void signal(SimulatedRank from, ChannelType type, int channel, double time, int span) {
        boolean port = type == ChannelType.PORT;
        ChannelPairing.Endpoint partner = (port ? portPairing : memoryPairing).partner(from.rank(), channel);
        Route route = port
                ? network.portRoute(from.rank(), partner.rank())
                : network.memoryRoute(from.rank(), partner.rank());
        SignalCounter counter = ranks.get(partner.rank()).counter(type, partner.slot());
        clock.at(time + route.latency(), () -> counter.arrive(span));
    }
}
