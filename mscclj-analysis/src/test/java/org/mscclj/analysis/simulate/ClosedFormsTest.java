package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.analysis.simulate.TestTopologies.BARRIER;
import static org.mscclj.analysis.simulate.TestTopologies.LATENCY;
import static org.mscclj.analysis.simulate.TestTopologies.LAUNCH;
import static org.mscclj.analysis.simulate.TestTopologies.LINK;
import static org.mscclj.analysis.simulate.TestTopologies.NOP;
import static org.mscclj.analysis.simulate.TestTopologies.OPERATION;
import static org.mscclj.analysis.simulate.TestTopologies.PLENTY;
import static org.mscclj.analysis.simulate.TestTopologies.POST;
import static org.mscclj.analysis.simulate.TestTopologies.RAIL;
import static org.mscclj.analysis.simulate.TestTopologies.RAIL_LATENCY;
import static org.mscclj.analysis.simulate.TestTopologies.READ_LATENCY;
import static org.mscclj.analysis.simulate.TestTopologies.SEMAPHORE;
import static org.mscclj.analysis.simulate.TestTopologies.SIGNAL;
import static org.mscclj.analysis.simulate.TestTopologies.TRIGGER;
import static org.mscclj.analysis.simulate.TestTopologies.WAIT;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.BlockRates;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** Simulated times equal those computed by hand. */
class ClosedFormsTest {
    private static final long BYTES = 1 << 20;

    /** Half a step of the clock's grid for each of some events. */
    private static final double ROUNDING = 0.01;

    private static ChunkRef own(int chunk) {
        return new ChunkRef.Local(INPUT, chunk, 1);
    }

    private static double nanos(PlanSketch plan, Topology topology) {
        return nanos(plan.build(), topology, BYTES);
    }

    private static double nanos(Plan plan, Topology topology, long bytes) {
        return Simulator.simulate(plan, topology, bytes, SimulationOptions.DEFAULT)
                .nanos();
    }

    private static PlanSketch test(int ranks) {
        return new PlanSketch("test", Collective.TEST, Protocol.SIMPLE, false, ranks).chunks(1, 1, 0);
    }

    private static BlockSketch put(PlanSketch plan, int from, int to) {
        BlockSketch block = plan.block(from);
        return block.remote(DataKind.PUT, MEMORY, List.of(own(0)), List.of(block.of(to, OUTPUT, MEMORY, 0, 1)));
    }

    @Test
    void onePutOverOneLink() {
        PlanSketch plan = test(2);
        put(plan, 0, 1).signal(MEMORY, 1);
        plan.block(1).await(MEMORY, 0);
        assertEquals(
                LAUNCH + OPERATION + BYTES / LINK + SIGNAL + LATENCY + WAIT,
                nanos(plan, TestTopologies.linkBound(1, 2)),
                ROUNDING);
    }

    @Test
    void aSlowBlockIsTheLimit() {
        PlanSketch plan = test(2);
        put(plan, 0, 1);
        assertEquals(
                LAUNCH + OPERATION + BYTES / 8.0,
                nanos(plan, TestTopologies.of(1, 2, new BlockRates(8, 8, 8))),
                ROUNDING);
    }

    @Test
    void twoPutsOverOneLinkTakeTwice() {
        PlanSketch plan = test(2);
        put(plan, 0, 1);
        put(plan, 0, 1);
        assertEquals(LAUNCH + OPERATION + 2 * BYTES / LINK, nanos(plan, TestTopologies.linkBound(1, 2)), ROUNDING);
    }

    @Test
    void putsToOneReceiverShareItsLink() {
        PlanSketch plan = test(4);
        put(plan, 0, 3);
        put(plan, 1, 3);
        put(plan, 2, 3);
        assertEquals(LAUNCH + OPERATION + 3 * BYTES / LINK, nanos(plan, TestTopologies.linkBound(1, 4)), ROUNDING);
    }

    @Test
    void aLoadTakesARoundTripFirst() {
        PlanSketch plan = test(2);
        BlockSketch block = plan.block(0);
        block.remote(
                DataKind.GET,
                MEMORY,
                List.of(block.of(1, INPUT, MEMORY, 0, 1)),
                List.of(new ChunkRef.Local(OUTPUT, 0, 1)));
        assertEquals(
                LAUNCH + OPERATION + READ_LATENCY + BYTES / LINK,
                nanos(plan, TestTopologies.linkBound(1, 2)),
                ROUNDING);
    }

    /** Both ranks load, so each link carries the data of one and the requests of the other. */
    @Test
    void requestsOfLoadsUseTheOtherLink() {
        PlanSketch plan = test(2);
        for (int rank = 0; rank < 2; rank++) {
            BlockSketch block = plan.block(rank);
            block.remote(
                    DataKind.GET,
                    MEMORY,
                    List.of(block.of(1 - rank, INPUT, MEMORY, 0, 1)),
                    List.of(new ChunkRef.Local(OUTPUT, 0, 1)));
        }
        assertEquals(
                LAUNCH + OPERATION + READ_LATENCY + 1.25 * BYTES / LINK,
                nanos(plan, TestTopologies.withRequests(0.25)),
                ROUNDING);
    }

    @Test
    void packetsTakeTwiceTheLinkAndNoSignal() {
        PlanSketch plan = new PlanSketch("test", Collective.TEST, Protocol.LL, false, 2).chunks(1, 1, 1);
        BlockSketch sender = plan.block(0);
        sender.remote(DataKind.PUT_PACKETS, MEMORY, List.of(own(0)), List.of(sender.of(1, SCRATCH, MEMORY, 0, 1)));
        plan.block(1)
                .local(
                        DataKind.UNPACK_PACKETS,
                        List.of(new ChunkRef.Local(SCRATCH, 0, 1)),
                        List.of(new ChunkRef.Local(OUTPUT, 0, 1)));
        double unpacking = BYTES / PLENTY * 2 + 3 * BYTES / PLENTY;
        assertEquals(
                LAUNCH + OPERATION + 2.0 * BYTES / LINK + LATENCY + OPERATION,
                nanos(plan, TestTopologies.linkBound(1, 2)),
                unpacking + ROUNDING);
    }

    @Test
    void portChannelMovesRequestsInOrder() {
        PlanSketch plan = test(2);
        BlockSketch sender = plan.block(0);
        for (int i = 0; i < 2; i++) {
            sender.port(DataKind.PUT_WITH_SIGNAL, 1, List.of(own(0)), List.of(sender.of(1, OUTPUT, PORT, 0, 1)));
        }
        plan.block(1).await(PORT, 0).await(PORT, 0);
        assertEquals(
                LAUNCH + OPERATION + TRIGGER + POST + 2 * BYTES / RAIL + 2 * RAIL_LATENCY, // acknowledged
                nanos(plan, TestTopologies.linkBound(2, 1)),
                ROUNDING);
    }

    @Test
    void aFlushWaitsForTheAcknowledgement() {
        PlanSketch plan = test(2);
        BlockSketch sender = plan.block(0);
        sender.port(DataKind.PUT, 1, List.of(own(0)), List.of(sender.of(1, OUTPUT, PORT, 0, 1)))
                .flush(1);
        assertEquals(
                LAUNCH + OPERATION + TRIGGER + POST + BYTES / RAIL + 2 * RAIL_LATENCY + OPERATION,
                nanos(plan, TestTopologies.linkBound(2, 1)),
                ROUNDING);
    }

    @Test
    void barrierEndsWhenTheLastBlockArrives() {
        PlanSketch plan = test(1);
        plan.block(0).nop().nop().nop().add(new Operation.Barrier(0, 2));
        plan.block(0).add(new Operation.Barrier(0, 2)).nop();
        assertEquals(LAUNCH + 3 * NOP + BARRIER + NOP, nanos(plan, TestTopologies.linkBound(1, 1)), ROUNDING);
    }

    /** Around a ring, each rank sends 2(n − 1) parts, and each part is awaited. */
    @Test
    void ringAllreduceOnEqualLinks() {
        for (int ranks : new int[] {2, 3, 8, 16}) {
            long bytes = ranks * (1L << 20);
            Plan plan = ShippedProgram.RING.plan(
                    ProgramSpec.of(Collective.ALLREDUCE, ranks).inPlace(true));
            double step =
                    OPERATION + NOP + SIGNAL + LATENCY + WAIT + NOP; // (reduce and) put, nop, signal, arrive, wait, nop
            double expected = LAUNCH
                    + 2.0 * (ranks - 1) * (bytes / ranks) / LINK
                    + 2 * (ranks - 1) * step
                    + OPERATION; // the last copy
            double simulated = nanos(plan, TestTopologies.linkBound(1, ranks), bytes);
            // Memory and blocks take little time, but not none.
            assertEquals(expected, simulated, 0.0005 * expected, ranks + " ranks");
        }
    }

    /** While one block moves a unit, the other moves the unit before. */
    @Test
    void aPipelineOverlapsItsStages() {
        int units = 16;
        long unit = BYTES / units;
        PlanSketch plan = new PlanSketch("test", Collective.TEST, Protocol.SIMPLE, false, 3).chunks(1, 1, 1);
        BlockSketch first = plan.block(0);
        BlockSketch second = plan.block(1);
        first.connect(MEMORY, 1);
        second.connect(MEMORY, 0, 2);
        ChunkRef toScratch = first.of(1, SCRATCH, MEMORY, 0, 1);
        ChunkRef toOutput = second.of(2, OUTPUT, MEMORY, 0, 1);
        first.add(new Operation.Pipeline(
                unit,
                1,
                List.of(put(List.of(own(0)), List.of(toScratch)), new Operation.Signal(MEMORY, List.of(0), false))));
        second.add(new Operation.Pipeline(
                unit,
                1,
                List.of(
                        new Operation.Wait(MEMORY, List.of(0), false),
                        put(List.of(new ChunkRef.Local(SCRATCH, 0, 1)), List.of(toOutput)))));
        double sent = OPERATION + unit / LINK + SIGNAL;
        double expected = LAUNCH + units * sent + LATENCY + WAIT + OPERATION + unit / LINK;
        assertEquals(expected, nanos(plan, TestTopologies.linkBound(1, 3)), ROUNDING);
    }

    private static Operation put(List<ChunkRef> sources, List<ChunkRef> destinations) {
        return new Operation.Data(
                DataKind.PUT,
                Optional.of(MEMORY),
                List.of(),
                sources,
                destinations,
                BlockShare.WHOLE,
                Optional.empty());
    }

    @Test
    void aSwitchCarriesAReductionOnce() {
        int ranks = 4;
        Plan plan = ShippedProgram.MULTICAST.plan(
                ProgramSpec.of(Collective.ALLREDUCE, ranks).inPlace(true));
        Timeline timeline = Simulator.simulate(
                        plan, TestTopologies.linkBound(1, ranks), BYTES, SimulationOptions.DEFAULT)
                .round();
        // Each rank's links carry its contribution to every part, and the result of its own part back to the switch.
        for (LinkUse use : timeline.links()) {
            if (!use.link().endsWith("memory")) {
                assertEquals(BYTES + BYTES / ranks, use.bytes(), use.link());
            }
        }
    }

    @Test
    void roundsAreSequential() {
        Plan plan = ShippedProgram.SCRATCH.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 2).inPlace(true));
        Topology topology = TestTopologies.linkBound(1, 2);
        SimulationOptions narrow = new SimulationOptions(1 << 20, 0);
        Prediction whole = Simulator.simulate(plan, topology, 8 << 20, narrow);
        long perRound = (8 << 20) / whole.rounds();
        assertTrue(whole.rounds() > 1, () -> whole.rounds() + " rounds");
        Prediction one = Simulator.simulate(plan, topology, perRound, narrow);
        assertEquals(1, one.rounds());
        assertEquals(whole.rounds() * one.nanos(), whole.nanos(), ROUNDING);
    }

    @Test
    void semaphoresHandOver() {
        Plan withSemaphore = SemaphorePlans.handOver(test(1).build());
        assertEquals(
                LAUNCH + NOP + SEMAPHORE + SEMAPHORE + NOP,
                nanos(withSemaphore, TestTopologies.linkBound(1, 1), BYTES),
                ROUNDING);
    }
}
