package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** The threads of an operation run in no order, for any order of operands: its accesses must not overlap each other. */
class OverlapsTest {
    private static ChunkRef chunks(BufferType buffer, int index, int size) {
        return new ChunkRef.Local(buffer, index, size);
    }

    /** Two ranks that put three chunks each into the other's output, by one operation with two operands. */
    private static Plan gather(ChannelType type, int secondAt, int secondFrom, int secondSize) {
        PlanSketch plan = new PlanSketch("put", Collective.ALLGATHER, Protocol.SIMPLE, false, 2).chunks(3, 6, 0);
        for (int rank = 0; rank < 2; rank++) {
            int peer = 1 - rank;
            BlockSketch block = plan.block(rank);
            block.local(DataKind.COPY, List.of(chunks(INPUT, 0, 3)), List.of(chunks(OUTPUT, 3 * rank, 3)));
            block.tellReady(type, peer).awaitReady(type, peer);
            List<ChunkRef> sources = List.of(chunks(INPUT, 0, 2), chunks(INPUT, secondFrom, secondSize));
            List<ChunkRef> destinations = List.of(
                    block.of(peer, OUTPUT, type, 3 * rank, 2),
                    block.of(peer, OUTPUT, type, 3 * rank + secondAt, secondSize));
            if (type == PORT) {
                block.port(DataKind.PUT, peer, sources, destinations);
            } else {
                block.remote(DataKind.PUT, type, sources, destinations);
            }
            block.meet(type, peer);
        }
        return plan.build();
    }

    @ParameterizedTest
    @CsvSource({
        "MEMORY, 2, 2, 1", // adjacent
        "MEMORY, 1, 1, 2", // overlapping, with equal values
        "PORT, 1, 1, 2",
    })
    void isProved(ChannelType type, int at, int from, int size) {
        Verdict verdict = Verifier.verify(gather(type, at, from, size));
        assertTrue(verdict.isProved(), verdict::toString);
    }

    /** Another value into a chunk that is put correctly. */
    @ParameterizedTest
    @CsvSource({"MEMORY, 1, 0, 2", "MEMORY, 0, 1, 2", "MEMORY, 0, 1, 1"})
    void twoValuesForOnePlaceAreARace(ChannelType type, int at, int from, int size) {
        Finding finding =
                Verifier.verify(gather(type, at, from, size)).findings().getFirst();
        assertEquals(Finding.Kind.RACE, finding.kind());
        assertTrue(finding.message().contains(" writes two values to rank "), finding::message);
    }

    /** Alone, with scratch between two operands of one operation. */
    private static Plan through(boolean readFirst) {
        PlanSketch plan = new PlanSketch("through", Collective.ALLREDUCE, Protocol.SIMPLE, false, 2).chunks(1, 1, 2);
        for (int rank = 0; rank < 2; rank++) {
            int peer = 1 - rank;
            BlockSketch block = plan.block(rank);
            block.local(DataKind.COPY, List.of(chunks(INPUT, 0, 1)), List.of(chunks(SCRATCH, 0, 1)))
                    .meet(MEMORY, peer);
            ChunkRef remote = block.of(peer, SCRATCH, MEMORY, 0, 1);
            ChunkRef input = block.of(peer, INPUT, MEMORY, 0, 1);
            block.remote(
                            DataKind.GET,
                            MEMORY,
                            readFirst ? List.of(remote, input) : List.of(input, remote),
                            readFirst
                                    ? List.of(chunks(SCRATCH, 1, 1), chunks(OUTPUT, 0, 1))
                                    : List.of(chunks(OUTPUT, 0, 1), chunks(SCRATCH, 1, 1)))
                    .nop();
            block.local(
                            DataKind.REDUCE,
                            List.of(chunks(INPUT, 0, 1), chunks(SCRATCH, 1, 1)),
                            List.of(chunks(OUTPUT, 0, 1)))
                    .meet(MEMORY, peer);
        }
        return plan.build();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void operandsWithoutOverlapAreProved(boolean readFirst) {
        Verdict verdict = Verifier.verify(through(readFirst));
        assertTrue(verdict.isProved(), verdict::toString);
    }

    /** A block that writes the same value twice without a synchronisation is correct in either order. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void oneBlockMayWriteOneValueTwice(int second, boolean proved) {
        PlanSketch plan = new PlanSketch("twice", Collective.ALLREDUCE, Protocol.SIMPLE, false, 1).chunks(2, 2, 0);
        plan.block(0)
                .local(DataKind.COPY, List.of(chunks(INPUT, 0, 2)), List.of(chunks(OUTPUT, 0, 2)))
                .local(DataKind.COPY, List.of(chunks(INPUT, second, 1)), List.of(chunks(OUTPUT, 0, 1)));
        Verdict verdict = Verifier.verify(plan.build());
        assertEquals(proved, verdict.isProved(), verdict::toString);
    }

    /** A write of the present value changes nothing for concurrent readers. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void presentValueMayBeWrittenDuringReads(int second, boolean proved) {
        PlanSketch plan = new PlanSketch("read", Collective.ALLREDUCE, Protocol.SIMPLE, false, 1).chunks(2, 2, 2);
        plan.block(0)
                .local(DataKind.COPY, List.of(chunks(INPUT, 0, 2)), List.of(chunks(OUTPUT, 0, 2)))
                .nop()
                .local(DataKind.COPY, List.of(chunks(OUTPUT, 0, 1)), List.of(chunks(SCRATCH, 0, 1)))
                .local(DataKind.COPY, List.of(chunks(INPUT, second, 1)), List.of(chunks(OUTPUT, 0, 1)));
        Verdict verdict = Verifier.verify(plan.build());
        assertEquals(proved, verdict.isProved(), verdict::toString);
    }

    /** Readers of a value that was written again still count when another value is written. */
    @Test
    void readersOfAValueWrittenAgainAreNotForgotten() {
        PlanSketch plan = new PlanSketch("late", Collective.ALLREDUCE, Protocol.SIMPLE, false, 1).chunks(1, 1, 2);
        BlockSketch block = plan.block(0)
                .local(DataKind.COPY, List.of(chunks(INPUT, 0, 1)), List.of(chunks(OUTPUT, 0, 1)))
                .local(DataKind.COPY, List.of(chunks(INPUT, 0, 1)), List.of(chunks(SCRATCH, 0, 1)))
                .nop()
                .local(DataKind.COPY, List.of(chunks(SCRATCH, 0, 1)), List.of(chunks(SCRATCH, 1, 1)))
                .local(DataKind.COPY, List.of(chunks(INPUT, 0, 1)), List.of(chunks(SCRATCH, 0, 1)));
        block.local(DataKind.REDUCE, List.of(chunks(INPUT, 0, 1), chunks(INPUT, 0, 1)), List.of(chunks(SCRATCH, 0, 1)));
        Finding finding = Verifier.verify(plan.build()).findings().getFirst();
        assertEquals(Finding.Kind.RACE, finding.kind());
    }

    /** One rank forwards a chunk from where the same operation has just put it. */
    @Test
    void operandMustNotReadWhatAnotherWrites() {
        PlanSketch plan = new PlanSketch("chain", Collective.TEST, Protocol.SIMPLE, false, 2).chunks(3, 3, 0);
        BlockSketch block = plan.block(0);
        plan.block(1);
        block.remote(
                DataKind.GET,
                MEMORY,
                List.of(block.of(1, INPUT, MEMORY, 0, 1), block.of(0, OUTPUT, MEMORY, 0, 1)),
                List.of(chunks(OUTPUT, 0, 1), chunks(OUTPUT, 1, 1)));
        Finding finding = Verifier.verify(plan.build()).findings().getFirst();
        assertEquals(Finding.Kind.RACE, finding.kind());
        assertTrue(finding.message().contains(" writes what it also reads"), finding::message);
    }
}
