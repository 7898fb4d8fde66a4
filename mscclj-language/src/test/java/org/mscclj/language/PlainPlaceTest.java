package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Protocol;

/** The passes keep the place of a plain operand, and never change the order that it states. */
class PlainPlaceTest {
    private static List<Operation.Data> reductions(int instances, Consumer<ProgramBuilder> definition) {
        AlgoSpec spec = AlgoSpec.builder("places", ProgramCollective.allReduce(2, 2, false))
                .protocol(Protocol.LL)
                .boundedFusion(false)
                .instances(instances)
                .build();
        return CollectiveProgram.define(spec, definition).compile().ranks().getFirst().threadBlocks().stream()
                .flatMap(block -> block.operations().stream())
                .filter(Operation.Data.class::isInstance)
                .map(Operation.Data.class::cast)
                .toList();
    }

    private static List<Chunk> chunks(Buffer buffer, int from, int to) {
        return IntStream.range(from, to).mapToObj(buffer::chunk).toList();
    }

    @Test
    void everyInstanceHasThePlaceAlsoWithACopyOfTheResult() {
        List<Operation.Data> both = reductions(2, program -> {
            Buffer scratch = program.scratch(0, 4);
            Rank rank = program.rank(0);
            rank.reducePackets(
                    rank.input().chunk(0),
                    1,
                    chunks(scratch, 0, 3),
                    rank.output().chunk(0),
                    0);
            rank.copyPackets(scratch.chunk(3), rank.output().chunk(0), 0);
        });
        assertEquals(2, both.size());
        for (int instance = 0; instance < 2; instance++) {
            assertEquals(DataKind.REDUCE_COPY_PACKETS, both.get(instance).kind());
            assertEquals(OptionalInt.of(1), both.get(instance).plainPlace());
            assertEquals(1, both.get(instance).packetsBeforePlain());
            assertEquals(
                    new ChunkRef.Local(BufferType.INPUT, instance, 1),
                    both.get(instance).sources().getFirst());
        }
    }

    @Test
    void aReductionThatContinuesAnotherIsNotFusedIfOneStatesAPlace() {
        for (int which = 0; which < 4; which++) {
            OptionalInt first = (which & 1) == 0 ? OptionalInt.empty() : OptionalInt.of(0);
            OptionalInt second = (which & 2) == 0 ? OptionalInt.empty() : OptionalInt.of(0);
            List<Operation.Data> made = reductions(1, program -> {
                Buffer scratch = program.scratch(0, 4);
                Rank rank = program.rank(0);
                reduce(rank, rank.input().chunk(0), first, chunks(scratch, 0, 2));
                reduce(rank, rank.output().chunk(0), second, chunks(scratch, 2, 4));
            });
            boolean fused = first.isEmpty() && second.isEmpty();
            assertEquals(fused ? 1 : 2, made.size(), () -> first + ", " + second);
            assertEquals(first, made.getFirst().plainPlace());
            assertEquals(second, made.getLast().plainPlace());
        }
    }

    private static void reduce(Rank rank, Chunk plain, OptionalInt place, List<Chunk> packets) {
        if (place.isPresent()) {
            rank.reducePackets(plain, place.getAsInt(), packets, rank.output().chunk(0), 0);
        } else {
            rank.reducePackets(plain, packets, rank.output().chunk(0), 0);
        }
    }
}
