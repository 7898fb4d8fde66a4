package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.analysis.simulate.TestTopologies.LAUNCH;
import static org.mscclj.analysis.simulate.TestTopologies.OPERATION;
import static org.mscclj.analysis.simulate.TestTopologies.POST;
import static org.mscclj.analysis.simulate.TestTopologies.RAIL;
import static org.mscclj.analysis.simulate.TestTopologies.RAIL_LATENCY;
import static org.mscclj.analysis.simulate.TestTopologies.TRIGGER;
import static org.mscclj.analysis.simulate.TestTopologies.WAIT;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.ChannelType.PORT;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.BlockRates;
import org.mscclj.analysis.simulate.topology.Costs;
import org.mscclj.analysis.simulate.topology.Fabric;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** Requests to proxies take the time computed by hand, also if blocks share a port channel. */
class PortChannelsTest {
    private static final long BYTES = 1 << 20;
    private static final double ROUNDING = 0.01;

    /** The time at which the proxy has posted the request of a block that begins with a put. */
    private static final double POSTED = LAUNCH + OPERATION + TRIGGER + POST;

    private static PlanSketch sketch(int ranks) {
        return new PlanSketch("test", Collective.TEST, Protocol.SIMPLE, false, ranks).chunks(1, 1, 0);
    }

    private static BlockSketch put(PlanSketch plan, int to) {
        BlockSketch block = plan.block(0);
        return block.port(
                DataKind.PUT, to, List.of(new ChunkRef.Local(INPUT, 0, 1)), List.of(block.of(to, OUTPUT, PORT, 0, 1)));
    }

    private static Timeline simulate(Plan plan, Topology topology) {
        return Simulator.simulate(plan, topology, BYTES, SimulationOptions.DEFAULT)
                .round();
    }

    private static double ready(Timeline timeline, int block, int position) {
        return timeline.spans().stream()
                .filter(span -> !span.byProxy()
                        && span.address().block() == block
                        && span.address().position() == position)
                .mapToDouble(Span::ready)
                .max()
                .orElseThrow();
    }

    /** The same plan, but all blocks of rank 0 use its first port channel. */
    private static Plan withOneChannel(Plan plan) {
        RankPlan rank = plan.ranks().getFirst();
        RankPlan shared = rank.withThreadBlocks(rank.threadBlocks().stream()
                .map(block -> new ThreadBlock(
                        block.id(),
                        block.operations(),
                        block.memoryChannels(),
                        block.portChannels().isEmpty() ? List.of() : List.of(0),
                        block.switchChannels(),
                        block.memoryBuffers(),
                        block.portBuffers()))
                .toList());
        return plan.withRanks(List.of(shared, plan.ranks().get(1)));
    }

    /** One block puts and flushes; another one signals on the same channel, some nops later. */
    private static Timeline beside(int nops) {
        PlanSketch plan = sketch(2);
        put(plan, 1).flush(1);
        BlockSketch other = plan.block(0);
        for (int i = 0; i < nops; i++) {
            other.nop();
        }
        other.signal(PORT, 1);
        plan.block(1).connect(PORT, 0);
        plan.block(1).connect(PORT, 0);
        return simulate(withOneChannel(plan.build()), TestTopologies.linkBound(2, 1));
    }

    @Test
    void flushDoesNotWaitForLaterRequests() {
        assertEquals(POSTED + BYTES / RAIL + 2 * RAIL_LATENCY, ready(beside(20_000), 0, 1), ROUNDING);
    }

    @Test
    void aLaterSignalDoesNotCompleteAnEarlierPut() {
        assertEquals(POSTED + BYTES / RAIL + 2 * RAIL_LATENCY, ready(beside(100), 0, 1), ROUNDING);
    }

    @Test
    void aSignalAloneIsAcknowledgedToo() {
        PlanSketch plan = sketch(2);
        plan.block(0).signal(PORT, 1).flush(1);
        plan.block(1).connect(PORT, 0);
        assertEquals(
                POSTED + 2 * RAIL_LATENCY,
                ready(simulate(plan.build(), TestTopologies.linkBound(2, 1)), 0, 1),
                ROUNDING);
    }

    @Test
    void aLaunchEndsWhenItsPortChannelsAreFlushed() {
        PlanSketch plan = sketch(2);
        put(plan, 1);
        Timeline timeline = simulate(plan.build(), TestTopologies.linkBound(2, 1));
        assertEquals(POSTED + BYTES / RAIL + 2 * RAIL_LATENCY, timeline.nanos(), ROUNDING);
        assertEquals(
                POSTED + BYTES / RAIL,
                timeline.spans().get(timeline.criticalPath().getLast()).end(),
                ROUNDING,
                "the put of which the acknowledgement was waited for");
    }

    @Test
    void severalDestinationsOverOneChannelAreOneRequest() {
        PlanSketch plan = new PlanSketch("test", Collective.TEST, Protocol.SIMPLE, false, 2).chunks(2, 2, 0);
        BlockSketch block = plan.block(0);
        block.port(
                DataKind.PUT_WITH_SIGNAL,
                1,
                List.of(new ChunkRef.Local(INPUT, 0, 1), new ChunkRef.Local(INPUT, 1, 1)),
                List.of(block.of(1, OUTPUT, PORT, 1, 1), block.of(1, OUTPUT, PORT, 0, 1)));
        plan.block(1).await(PORT, 0);
        Timeline timeline = simulate(plan.build(), TestTopologies.linkBound(2, 1));
        assertEquals(1, timeline.spans().stream().filter(Span::byProxy).count());
        assertEquals(
                POSTED + BYTES / RAIL + RAIL_LATENCY + WAIT,
                timeline.spans().stream()
                        .filter(span -> span.address().rank() == 1)
                        .mapToDouble(Span::end)
                        .max()
                        .orElseThrow(),
                ROUNDING);
    }

    /** The thread that serves all port channels of a rank copies data itself, and does nothing else meanwhile. */
    @Test
    void proxyOfOneHostMovesOneRequestAtATime() {
        double rate = 8;
        PlanSketch plan = sketch(3);
        put(plan, 1);
        put(plan, 2);
        plan.block(1).connect(PORT, 0);
        plan.block(2).connect(PORT, 0);
        Costs costs = TestTopologies.linkBound(1, 1).costs();
        Topology host = new Topology(
                "host",
                1,
                3,
                new Fabric.SharedMemory(TestTopologies.PLENTY, TestTopologies.LATENCY, 8),
                Optional.empty(),
                new Costs(
                        costs.launch(),
                        costs.begin(),
                        costs.operation(),
                        costs.order(),
                        costs.trigger(),
                        costs.post(),
                        new BlockRates(rate, rate, rate),
                        Optional.empty()));
        assertEquals(
                POSTED + BYTES / rate + POST + BYTES / rate + 2 * TestTopologies.LATENCY,
                simulate(plan.build(), host).nanos(),
                ROUNDING);
    }
}
