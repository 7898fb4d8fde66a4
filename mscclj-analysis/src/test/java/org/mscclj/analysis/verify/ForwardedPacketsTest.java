package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** A packet that is forwarded, or computed from packets, carries their clocks: their writers' launches have begun. */
class ForwardedPacketsTest {
    private static ChunkRef chunk(BufferType buffer, int index) {
        return new ChunkRef.Local(buffer, index, 1);
    }

    /** Every part travels around the ring in packets. */
    private static Plan gatherRing(int ranks, boolean halves) {
        PlanSketch plan =
                new PlanSketch("ring", Collective.ALLGATHER, Protocol.LL, false, ranks).chunks(1, ranks, ranks);
        if (halves) {
            plan.doubleScratch();
        }
        for (int rank = 0; rank < ranks; rank++) {
            int next = (rank + 1) % ranks;
            BlockSketch block = plan.block(rank).connect(MEMORY, next);
            block.local(DataKind.COPY, List.of(chunk(INPUT, 0)), List.of(chunk(OUTPUT, rank)));
            block.remote(
                    DataKind.PUT_PACKETS,
                    MEMORY,
                    List.of(chunk(INPUT, 0)),
                    List.of(block.of(next, SCRATCH, MEMORY, rank, 1)));
            for (int hop = 1; hop < ranks; hop++) {
                int part = (rank - hop + ranks) % ranks;
                if (hop < ranks - 1) {
                    block.remote(
                            DataKind.READ_PUT_PACKETS,
                            MEMORY,
                            List.of(chunk(SCRATCH, part)),
                            List.of(block.of(next, SCRATCH, MEMORY, part, 1)));
                }
                block.local(DataKind.UNPACK_PACKETS, List.of(chunk(SCRATCH, part)), List.of(chunk(OUTPUT, part)));
            }
        }
        return plan.build();
    }

    /** The sum is computed on the way around the ring, and then travels around again to all ranks. */
    private static Plan reduceRing(int ranks) {
        PlanSketch plan = new PlanSketch("ring", Collective.ALLREDUCE, Protocol.LL, false, ranks)
                .chunks(1, 1, 2)
                .doubleScratch();
        for (int rank = 0; rank < ranks; rank++) {
            int next = (rank + 1) % ranks;
            BlockSketch block = plan.block(rank).connect(MEMORY, next);
            int last = ranks - 1;
            if (rank == 0) {
                block.remote(
                        DataKind.PUT_PACKETS,
                        MEMORY,
                        List.of(chunk(INPUT, 0)),
                        List.of(block.of(next, SCRATCH, MEMORY, 0, 1)));
            } else {
                block.remote(
                                DataKind.REDUCE_SEND_PACKETS,
                                MEMORY,
                                List.of(chunk(INPUT, 0), chunk(SCRATCH, 0)),
                                List.of(chunk(OUTPUT, 0), block.of(next, SCRATCH, MEMORY, rank == last ? 1 : 0, 1)))
                        .nop();
            }
            if (rank < last - 1) {
                block.remote(
                        DataKind.READ_PUT_PACKETS,
                        MEMORY,
                        List.of(chunk(SCRATCH, 1)),
                        List.of(block.of(next, SCRATCH, MEMORY, 1, 1)));
            }
            if (rank < last) {
                block.local(DataKind.UNPACK_PACKETS, List.of(chunk(SCRATCH, 1)), List.of(chunk(OUTPUT, 0)));
            }
        }
        return plan.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8})
    void aRingOfPacketsIsProved(int ranks) {
        Verdict verdict = Verifier.verify(gatherRing(ranks, true));
        assertTrue(verdict.isProved(), verdict::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void aReductionRoundARingOfPacketsIsProved(int ranks) {
        Verdict verdict = Verifier.verify(reduceRing(ranks));
        assertTrue(verdict.isProved(), verdict::toString);
        assertTrue(verdict.equalBits());
    }

    /**
     * With one half, a rank writes packets of its next launch where its neighbour may still read those of the last one.
     */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void aRingOfPacketsInOneHalfIsARace(int ranks) {
        Verdict verdict = Verifier.verify(gatherRing(ranks, false));
        assertEquals(Finding.Kind.RACE, verdict.findings().getFirst().kind(), verdict::toString);
    }
}
