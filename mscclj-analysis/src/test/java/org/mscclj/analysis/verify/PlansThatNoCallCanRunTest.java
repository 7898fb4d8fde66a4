package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** A call has one reduce operation. A plan whose operations fix different ones is refuted, for any collective. */
class PlansThatNoCallCanRunTest {
    /** Two ranks: the first block of each reduces the first chunk, the second one, in a pipeline, the second chunk. */
    private static Plan allReduce(Optional<ReduceOp.Kind> first, Optional<ReduceOp.Kind> second) {
        PlanSketch plan = new PlanSketch("mixed", Collective.ALLREDUCE, Protocol.SIMPLE, false, 2).chunks(2, 2, 0);
        for (int rank = 0; rank < 2; rank++) {
            int peer = 1 - rank;
            for (int chunk = 0; chunk < 2; chunk++) {
                BlockSketch block = plan.block(rank);
                block.tellReady(ChannelType.MEMORY, peer).awaitReady(ChannelType.MEMORY, peer);
                Operation reduce = reduce(block, peer, rank, chunk, chunk == 0 ? first : second);
                block.add(chunk == 0 ? reduce : new Operation.Pipeline(16, 1, List.of(reduce)));
                block.syncAfterReading(ChannelType.MEMORY, peer);
            }
        }
        return plan.build();
    }

    private static Operation reduce(
            BlockSketch block, int peer, int rank, int chunk, Optional<ReduceOp.Kind> reduceOp) {
        return new Operation.Data(
                DataKind.READ_REDUCE,
                Optional.of(ChannelType.MEMORY),
                List.of(),
                List.of(chunk(INPUT, chunk), block.of(peer, INPUT, ChannelType.MEMORY, chunk, 1)),
                List.of(chunk(OUTPUT, chunk)),
                BlockShare.WHOLE,
                reduceOp);
    }

    private static ChunkRef chunk(BufferType buffer, int index) {
        return new ChunkRef.Local(buffer, index, 1);
    }

    @Test
    void oneFixedOperationIsProved() {
        Optional<ReduceOp.Kind> max = Optional.of(ReduceOp.Kind.MAX);
        assertTrue(Verifier.verify(allReduce(max, max)).isProved());
        assertTrue(Verifier.verify(allReduce(max, Optional.empty())).isProved());
    }

    @Test
    void twoFixedOperationsAreRefuted() {
        Verdict verdict = Verifier.verify(allReduce(Optional.of(ReduceOp.Kind.MAX), Optional.of(ReduceOp.Kind.MIN)));
        assertTrue(verdict.isRefuted());
        assertEquals(
                List.of(new Finding(
                        Finding.Kind.NOT_CALLABLE,
                        "no call can run the plan: rank 0, block 0, op 4 fixes max and rank 0, block 1, op 4,"
                                + " inner op 0 fixes min,"
                                + " and a call has one reduce operation")),
                verdict.findings());
    }
}
