package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.plan.Protocol;

/** Programs whose ranges overlap without being equal cannot be replicated, and are refused with the lines. */
class ReplicatedRangesTest {

    @Test
    void partOfACopiedRangeIsRefused() {
        Consumer<ProgramBuilder> mixed = program -> {
            Rank rank = program.rank(0);
            rank.copy(rank.output().slice(0, 2), rank.input().slice(0, 2), 0);
            rank.copy(rank.output().chunk(1), rank.input().chunk(1), 0);
        };
        refused(Protocol.SIMPLE, mixed, "chunks 0 to 1 of the output of rank 0", "chunk 1 of the output of rank 0");
        // One instance of the program is valid.
        assertTrue(Verifier.verify(define(1, Protocol.SIMPLE, mixed).compile()).isProved());
    }

    @Test
    void rangePutAsAWholeAndReadByChunksIsRefused() {
        refused(
                Protocol.SIMPLE,
                program -> {
                    Buffer scratch = program.scratch(1, 2);
                    program.memoryChannel(1, 0)
                            .put(scratch.slice(0, 2), program.rank(0).input().slice(0, 2), 0);
                    Rank reader = program.rank(1);
                    reader.copy(reader.output().chunk(0), scratch.chunk(0), 0);
                },
                "chunk 0 of the scratch of rank 1",
                "chunks 0 to 1 of the scratch of rank 1");
    }

    @Test
    void inPlaceInputAndOutputShareMemory() {
        AlgoSpec spec = AlgoSpec.builder("mixed", ProgramCollective.allReduce(1, 2, true))
                .instances(2)
                .build();
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> CollectiveProgram.define(spec, program -> {
                    Rank rank = program.rank(0);
                    Buffer scratch = program.scratch(0, 2);
                    rank.copy(scratch.slice(0, 2), rank.input().slice(0, 2), 0);
                    rank.copy(rank.output().chunk(0), scratch.chunk(1), 0);
                }));
        assertTrue(String.valueOf(e.getMessage()).contains("of the input of rank 0"), e.getMessage());
    }

    @Test
    void rangesThatAreOnlyReadMayDiffer() {
        assertDoesNotThrow(() -> define(2, Protocol.SIMPLE, program -> {
            Rank rank = program.rank(0);
            rank.copy(rank.output().slice(0, 2), rank.input().slice(0, 2), 0);
            rank.copy(program.scratch(0, 1).chunk(0), rank.input().chunk(1), 0);
        }));
    }

    @Test
    void rangesOfPacketsMayDiffer() {
        assertDoesNotThrow(() -> define(2, Protocol.LL, program -> {
            Buffer scratch = program.scratch(1, 2);
            program.memoryChannel(1, 0)
                    .putPackets(scratch.slice(0, 2), program.rank(0).input().slice(0, 2), 0);
            Rank reader = program.rank(1);
            reader.unpackPackets(reader.output().chunk(0), scratch.chunk(0), 0);
            reader.unpackPackets(reader.output().chunk(1), scratch.chunk(1), 0);
        }));
    }

    private static void refused(Protocol protocol, Consumer<ProgramBuilder> definition, String... places) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> define(2, protocol, definition));
        String message = String.valueOf(e.getMessage());
        List.of(places)
                .forEach(place -> assertTrue(message.contains(place + ", at ReplicatedRangesTest.java:"), message));
    }

    private static CollectiveProgram define(int instances, Protocol protocol, Consumer<ProgramBuilder> definition) {
        AlgoSpec spec = AlgoSpec.builder("mixed", ProgramCollective.allReduce(instances == 1 ? 1 : 2, 2, false))
                .protocol(protocol)
                .instances(instances)
                .build();
        return CollectiveProgram.define(spec, definition);
    }
}
