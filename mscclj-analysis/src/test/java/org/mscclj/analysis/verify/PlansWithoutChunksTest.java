package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/**
 * Without chunks of input and output, a chunk of scratch has no bytes: operations on data do nothing, and wait for no
 * packets.
 */
class PlansWithoutChunksTest {
    /** Both ranks wait for packets that no rank sends, and then, if {@code signals}, for each other. */
    private static Plan plan(int chunks, boolean signals) {
        PlanSketch plan = new PlanSketch("empty", Collective.TEST, Protocol.LL, false, 2).chunks(chunks, chunks, 2);
        for (int rank = 0; rank < 2; rank++) {
            BlockSketch block = plan.block(rank).connect(MEMORY, 1 - rank);
            Operation pass = new Operation.Data(
                    DataKind.READ_PUT_PACKETS,
                    Optional.of(MEMORY),
                    List.of(),
                    List.of(new ChunkRef.Local(SCRATCH, 0, 1)),
                    List.of(block.of(1 - rank, SCRATCH, MEMORY, 1, 1)),
                    BlockShare.WHOLE,
                    Optional.empty());
            block.add(pass);
            block.add(new Operation.Pipeline(16, 1, List.of(pass)));
            if (signals) {
                block.signal(MEMORY, 1 - rank);
            }
            block.await(MEMORY, 1 - rank);
        }
        return plan.build();
    }

    @Test
    void packetsWithoutBytesAreNotWaitedFor() {
        Verdict verdict = Verifier.verify(plan(0, true));
        assertTrue(verdict.isProved(), verdict::toString);
    }

    @Test
    void signalsAre() {
        assertEquals(
                Finding.Kind.NO_PROGRESS,
                Verifier.verify(plan(0, false)).findings().getFirst().kind());
    }

    @Test
    void packetsWithBytesAreWaitedFor() {
        assertEquals(
                Finding.Kind.NO_PROGRESS,
                Verifier.verify(plan(1, true)).findings().getFirst().kind());
    }
}
