package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** The simulator and the verifier execute plans independently, and agree on which plans deadlock. */
class SameProgressTest {
    private static final int PLANS = 400;
    private static final int RANKS = 2;
    private static final int BLOCKS = 2;

    /**
     * Blocks signal, wait and synchronise at random; every channel has one block at each end, so that no counter is
     * contested.
     */
    private static Plan plan(long seed) {
        Random random = new Random(seed);
        PlanSketch sketch =
                new PlanSketch("seed " + seed, Collective.TEST, Protocol.SIMPLE, false, RANKS).chunks(1, 1, 0);
        for (int rank = 0; rank < RANKS; rank++) {
            for (int block = 0; block < BLOCKS; block++) {
                write(sketch.block(rank), 1 - rank, random);
            }
        }
        return sketch.build();
    }

    private static void write(BlockSketch block, int peer, Random random) {
        block.connect(ChannelType.MEMORY, peer).connect(ChannelType.PORT, peer);
        for (int i = 0; i < 4; i++) {
            block.add(operation(random));
        }
    }

    private static Operation operation(Random random) {
        ChannelType type = random.nextBoolean() ? ChannelType.MEMORY : ChannelType.PORT;
        return switch (random.nextInt(7)) {
            case 0, 1, 2, 3 -> new Operation.Signal(type, List.of(0), false);
            case 4 -> new Operation.Wait(type, List.of(0), false);
            case 5 -> random.nextInt(4) == 0 ? new Operation.Barrier(0, BLOCKS) : new Operation.Nop();
            default -> new Operation.Flush(ChannelType.PORT, List.of(0));
        };
    }

    private static boolean endsSimulated(Plan plan) {
        try {
            Simulator.simulate(plan, TestTopologies.linkBound(1, RANKS), 16, SimulationOptions.DEFAULT.withoutSpans());
            return true;
        } catch (InvalidArgumentException e) {
            assertTrue(e.getMessage().contains("deadlocks"), e::getMessage);
            return false;
        }
    }

    @Test
    void bothFindTheSameDeadlocks() {
        int ends = 0;
        for (long seed = 0; seed < PLANS; seed++) {
            Plan plan = plan(seed);
            boolean verified = Verifier.verify(plan).findings().stream()
                    .noneMatch(finding -> finding.kind() == Finding.Kind.NO_PROGRESS);
            assertEquals(verified, endsSimulated(plan), () -> plan.name());
            ends += verified ? 1 : 0;
        }
        assertTrue(ends > PLANS / 10 && ends < PLANS * 9 / 10, ends + " of " + PLANS + " end");
    }
}
