package org.mscclj.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

class VariableCallsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static LocalGroup group(int ranks, int ranksPerNode) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks)
                .ranksPerNode(ranksPerNode)
                .backend("host")
                .timeout(TIMEOUT));
    }

    /** How many elements go from a rank to another: none now and then. */
    private static long count(long seed, int from, int to) {
        Random random = new Random(seed * 31 + from * 100L + to);
        return random.nextInt(4) == 0 ? 0 : random.nextInt(30_000);
    }

    /** Elements that nobody else has. */
    private static int[] elements(int from, int to, long count) {
        return IntStream.range(0, Math.toIntExact(count))
                .map(i -> (from * 1000 + to) * 100_000 + i)
                .toArray();
    }

    private static DeviceBuffer filled(Communicator communicator, int[] elements) {
        DeviceBuffer buffer = communicator.device().allocate(4L * elements.length);
        buffer.copyFrom(MemorySegment.ofArray(elements));
        return buffer;
    }

    private static int[] elements(DeviceBuffer buffer) {
        int[] elements = new int[Math.toIntExact(buffer.byteSize() / 4)];
        buffer.copyTo(MemorySegment.ofArray(elements));
        return elements;
    }

    private static int[] joined(List<int[]> parts) {
        return parts.stream().flatMapToInt(IntStream::of).toArray();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3", "5, 5", "4, 2"})
    void allToAllWithCountsOfAnySize(int ranks, int ranksPerNode) {
        long seed = System.nanoTime();
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                for (int round = 0; round < 5; round++) {
                    long own = seed + round;
                    List<Integer> all = IntStream.range(0, ranks).boxed().toList();
                    List<Long> out =
                            all.stream().map(peer -> count(own, rank, peer)).toList();
                    List<Long> in =
                            all.stream().map(peer -> count(own, peer, rank)).toList();
                    int[] sent = joined(all.stream()
                            .map(peer -> elements(rank, peer, out.get(peer)))
                            .toList());
                    int[] wanted = joined(all.stream()
                            .map(peer -> elements(peer, rank, in.get(peer)))
                            .toList());
                    try (DeviceBuffer input = filled(communicator, sent);
                            DeviceBuffer output = communicator.device().allocate(4L * wanted.length)) {
                        communicator
                                .execute(communicator.variable().allToAll(input, out, output, in, DataType.INT32))
                                .join();
                        assertArrayEquals(wanted, elements(output), "seed " + seed + ", round " + round);
                    }
                }
            });
        }
    }

    @Test
    void listsAreGatheredAndScattered() {
        int ranks = 3;
        try (LocalGroup group = group(ranks, ranks)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                VariableCalls calls = communicator.variable();
                DeviceBuffer mine = filled(communicator, elements(rank, 9, 100L * rank));
                List<DeviceBuffer> theirs = IntStream.range(0, ranks)
                        .mapToObj(peer -> communicator.device().allocate(400L * peer))
                        .toList();
                try (PreparedOperation gather = communicator.prepare(calls.allGather(mine, theirs))) {
                    gather.run(TIMEOUT);
                    gather.run(TIMEOUT);
                }
                for (int peer = 0; peer < ranks; peer++) {
                    assertArrayEquals(elements(peer, 9, 100L * peer), elements(theirs.get(peer)));
                }
                communicator
                        .execute(calls.scatter(rank == 1 ? theirs : List.of(), mine, 1))
                        .join();
                assertArrayEquals(elements(rank, 9, 100L * rank), elements(mine));
                theirs.forEach(
                        buffer -> buffer.copyFrom(MemorySegment.ofArray(new byte[Math.toIntExact(buffer.byteSize())])));
                communicator
                        .execute(calls.gather(mine, rank == 2 ? theirs : List.of(), 2))
                        .join();
                if (rank == 2) {
                    for (int peer = 0; peer < ranks; peer++) {
                        assertArrayEquals(elements(peer, 9, 100L * peer), elements(theirs.get(peer)));
                    }
                }
            });
        }
    }

    @Test
    void badCallsAreRefused() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                VariableCalls calls = communicator.variable();
                try (DeviceBuffer buffer = communicator.device().allocate(64)) {
                    assertEquals(new VariableCalls(communicator.rank(), 2), calls);
                    InvalidArgumentException few = assertThrows(
                            InvalidArgumentException.class, () -> calls.allGather(buffer, List.of(buffer)));
                    assertTrue(String.valueOf(few.getMessage()).contains("number of outputs is 1"), few::getMessage);
                    for (List<Long> counts : List.of(List.of(8L, 9L), List.of(-1L, 1L), List.of(Long.MAX_VALUE, 1L))) {
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> calls.allToAll(buffer, counts, buffer, List.of(0L, 0L), DataType.INT32));
                    }
                    assertThrows(InvalidArgumentException.class, () -> calls.gather(buffer, List.of(), 2));
                }
            });
        }
    }
}
