package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.Operation;

/** With twelve ranks, one operation exceeds the limits of MSCCL++'s executor. */
class BoundedFusionTest {
    private static final int RANKS = 12;

    @Test
    void keepsTheLimitsOfMscclpp() {
        assertEquals(List.of("signal 8", "signal 3", "wait 8", "wait 3", "rre 10", "nop", "rre 3"), operations(true));
    }

    @Test
    void fusesEverythingWithoutLimits() {
        assertEquals(List.of("signal 11", "wait 11", "rre 12"), operations(false));
    }

    /** The operations of rank 0. */
    private static List<String> operations(boolean bounded) {
        AlgoSpec spec = AlgoSpec.builder("sum", ProgramCollective.allReduce(RANKS, 1, false))
                .boundedFusion(bounded)
                .build();
        return CollectiveProgram.define(spec, BoundedFusionTest::sum)
                .compile()
                .ranks()
                .getFirst()
                .threadBlocks()
                .getFirst()
                .operations()
                .stream()
                .map(BoundedFusionTest::brief)
                .toList();
    }

    private static void sum(ProgramBuilder program) {
        for (Rank rank : program.ranks()) {
            List<MemoryChannel> channels = IntStream.range(1, RANKS)
                    .mapToObj(distance -> program.memoryChannel((rank.id() + distance) % RANKS, rank.id()))
                    .toList();
            channels.forEach(channel -> channel.signal(0, SyncType.NONE));
            channels.forEach(channel -> channel.await(0, SyncType.NONE));
            Chunk sum = rank.input().chunk(0);
            for (MemoryChannel channel : channels) {
                Chunk more = program.rank(channel.destination()).input().chunk(0);
                channel.reduce(sum, List.of(more), rank.output().chunk(0), ThreadBlockGroup.first(1));
                sum = rank.output().chunk(0);
            }
        }
    }

    private static String brief(Operation operation) {
        return operation.label()
                + switch (operation) {
                    case Operation.Signal signal -> " " + signal.channelIds().size();
                    case Operation.Wait wait -> " " + wait.channelIds().size();
                    case Operation.Data data -> " " + data.sources().size();
                    default -> "";
                };
    }
}
