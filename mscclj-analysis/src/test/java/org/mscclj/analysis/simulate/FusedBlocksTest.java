package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.analysis.simulate.TestTopologies.BEGIN;
import static org.mscclj.analysis.simulate.TestTopologies.FUSED_BEGIN;
import static org.mscclj.analysis.simulate.TestTopologies.FUSED_LINES;
import static org.mscclj.analysis.simulate.TestTopologies.FUSED_REACTION;
import static org.mscclj.analysis.simulate.TestTopologies.LATENCY;
import static org.mscclj.analysis.simulate.TestTopologies.LAUNCH;
import static org.mscclj.analysis.simulate.TestTopologies.LINK;
import static org.mscclj.analysis.simulate.TestTopologies.OPERATION;
import static org.mscclj.analysis.simulate.TestTopologies.PLENTY;
import static org.mscclj.analysis.simulate.TestTopologies.SIGNAL;
import static org.mscclj.analysis.simulate.TestTopologies.WAIT;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.topology.Fabric;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** Blocks whose moves GPUs fuse work in turns, and pay for no operation. */
class FusedBlocksTest {
    /** Payload of a turn: 512 threads, 8 bytes each; or 16 warps, four lines each. */
    private static final long TURN = 4096;

    private static final long TURN_OF_LINES = 7680;

    private static final double LINES = 128 / 120.0;

    /** Half a step of the clock's grid for each of some events, and what local memory takes. */
    private static final double ROUNDING = 0.3;

    private static final double FUSED = LAUNCH - BEGIN + FUSED_BEGIN;

    private static PlanSketch sketch(Protocol protocol, int chunks) {
        return new PlanSketch("test", Collective.TEST, protocol, false, 2)
                .chunks(chunks, chunks, chunks)
                .alignment(protocol == Protocol.LL128 ? 64 : 16);
    }

    private static BlockSketch send(BlockSketch block, int to, int chunk) {
        return block.remote(
                DataKind.PUT_PACKETS,
                MEMORY,
                List.of(new ChunkRef.Local(INPUT, chunk, 1)),
                List.of(block.of(to, SCRATCH, MEMORY, chunk, 1)));
    }

    private static BlockSketch receive(BlockSketch block, int chunk) {
        return block.local(
                DataKind.UNPACK_PACKETS,
                List.of(new ChunkRef.Local(SCRATCH, chunk, 1)),
                List.of(new ChunkRef.Local(OUTPUT, chunk, 1)));
    }

    /** Rank 0 sends to rank 1. */
    private static Plan oneWay(Protocol protocol) {
        PlanSketch plan = sketch(protocol, 1);
        send(plan.block(0), 1, 0);
        receive(plan.block(1), 0);
        return plan.build();
    }

    /** Both ranks send, then receive. */
    private static Plan exchange() {
        PlanSketch plan = sketch(Protocol.LL, 1);
        for (int rank = 0; rank < 2; rank++) {
            receive(send(plan.block(rank), 1 - rank, 0), 0);
        }
        return plan.build();
    }

    private static void assertTakes(double nanos, Plan plan, long bytes) {
        assertTakes(nanos, plan, TestTopologies.fusing(), bytes);
    }

    private static void assertTakes(double nanos, Plan plan, Topology topology, long bytes) {
        assertEquals(
                nanos,
                Simulator.simulate(plan, topology, bytes, SimulationOptions.DEFAULT)
                        .nanos(),
                ROUNDING);
    }

    @Test
    void oneTurnIsOneHop() {
        assertTakes(FUSED + 2.0 * TURN / LINK + LATENCY + FUSED_REACTION, oneWay(Protocol.LL), TURN);
    }

    /** A block with less than 576 bytes of payload sends other packets. */
    @Test
    void linesTakeAFifteenthOfTheLinkMore() {
        double waits = FUSED + LATENCY + FUSED_REACTION;
        assertTakes(waits + FUSED_LINES + LINES * TURN_OF_LINES / LINK, oneWay(Protocol.LL128), TURN_OF_LINES);
        assertTakes(waits + FUSED_LINES + LINES * 576 / LINK, oneWay(Protocol.LL128), 576);
        assertTakes(waits + 2.0 * 512 / LINK, oneWay(Protocol.LL128), 512);
    }

    /** A topology without lines takes a plan in lines as engines do whose lines are switched off. */
    @Test
    void linksBetweenPairsOfRanksCarryNoLines() {
        Topology fusing = TestTopologies.fusing();
        Topology pairs = new Topology(
                "pairs", 1, 2, new Fabric.PointToPoint(LINK, PLENTY, LATENCY), Optional.empty(), fusing.costs());
        double waits = FUSED + LATENCY + FUSED_REACTION;
        assertTakes(waits + 2.0 * 2048 / LINK, oneWay(Protocol.LL128), pairs, 2048);
        assertTakes(waits + FUSED_LINES + LINES * 2048 / LINK, oneWay(Protocol.LL128), fusing, 2048);
    }

    /** Lines begin at multiples of 128 bytes, so that chunks must be multiples of 64. */
    @Test
    void chunksOfAnyLengthAreNotSentInLines() {
        PlanSketch plan = sketch(Protocol.LL128, 1).alignment(16);
        send(plan.block(0), 1, 0);
        receive(plan.block(1), 0);
        assertTakes(FUSED + LATENCY + FUSED_REACTION + 2.0 * 2048 / LINK, plan.build(), 2048);
    }

    @Test
    void aTurnBeginsWhenTheOneBeforeHasEnded() {
        long rest = 16;
        assertTakes(FUSED + 2.0 * (TURN + rest) / LINK + 2 * (LATENCY + FUSED_REACTION), exchange(), TURN + rest);
    }

    /** A sender does not wait, and the receiver reacts faster than data comes. */
    @Test
    void turnsOfOneWayFollowWithoutAGap() {
        long bytes = 100 * TURN;
        assertTakes(FUSED + 2.0 * bytes / LINK + LATENCY + FUSED_REACTION, oneWay(Protocol.LL), bytes);
    }

    @Test
    void packetsThatAreAwaitedTogetherAreReactedToOnce() {
        PlanSketch plan = sketch(Protocol.LL, 2);
        BlockSketch sender = plan.block(0);
        sender.remote(
                DataKind.PUT_PACKETS,
                MEMORY,
                List.of(new ChunkRef.Local(INPUT, 0, 1), new ChunkRef.Local(INPUT, 1, 1)),
                List.of(sender.of(1, SCRATCH, MEMORY, 0, 1), sender.of(1, SCRATCH, MEMORY, 1, 1)));
        receive(receive(plan.block(1), 0), 1);
        assertTakes(FUSED + 2.0 * 2048 / LINK + LATENCY + FUSED_REACTION, plan.build(), 2048);
    }

    /** Neither are packets lines then. */
    @Test
    void aBlockThatSignalsIsNotFused() {
        PlanSketch plan = sketch(Protocol.LL128, 1);
        send(plan.block(0), 1, 0).signal(MEMORY, 1);
        receive(plan.block(1).await(MEMORY, 0), 0);
        double sent = LAUNCH + OPERATION + 2.0 * TURN / LINK;
        assertTakes(sent + SIGNAL + LATENCY + WAIT + OPERATION, plan.build(), TURN);
    }
}
