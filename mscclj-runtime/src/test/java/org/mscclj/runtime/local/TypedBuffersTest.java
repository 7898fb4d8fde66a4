package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Calls with buffers that know their elements, and values of ranks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TypedBuffersTest {
    private static LocalGroup open(int ranks) {
        return IntegerRanks.open(ranks, ExecutorOptions.DEFAULT);
    }

    private static int[] numbers(int first, int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = first + i;
        }
        return numbers;
    }

    @Test
    void collectivesOfTypedBuffers() {
        try (LocalGroup group = open(4)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                try (TypedBuffer all = communicator.allocate(DataType.INT32, 8);
                        TypedBuffer part = communicator.allocate(DataType.INT32, 2)) {
                    all.fill(rank + 1);
                    communicator.allReduce(all).join();
                    assertArrayEquals(new int[] {10, 10, 10, 10, 10, 10, 10, 10}, all.toIntArray());
                    communicator.reduceScatter(all, part, ReduceOp.MAX).join();
                    assertArrayEquals(new int[] {10, 10}, part.toIntArray());
                    part.copyFrom(numbers(2 * rank, 2));
                    communicator.allGather(part, all).join();
                    assertArrayEquals(numbers(0, 8), all.toIntArray());
                    communicator.allGather(all.part(rank, 4), all).join();
                    assertArrayEquals(numbers(0, 8), all.toIntArray());
                    all.fill(rank);
                    communicator.broadcast(all, 3).join();
                    communicator.allReduce(all, ReduceOp.MIN).join();
                    assertArrayEquals(new int[] {3, 3, 3, 3, 3, 3, 3, 3}, all.toIntArray());
                }
            });
        }
    }

    @Test
    void messagesOfTypedBuffers() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                try (TypedBuffer buffer = TypedBuffer.allocate(communicator.device(), DataType.FLOAT64, 3)) {
                    if (communicator.rank() == 0) {
                        buffer.fill(1.5);
                        communicator.send(buffer, 1).join();
                    } else {
                        communicator.receive(buffer, 0).join();
                        assertArrayEquals(new double[] {1.5, 1.5, 1.5}, buffer.toDoubleArray());
                    }
                }
            });
        }
    }

    @Test
    void typesThatDifferAreRefused() {
        try (LocalGroup group = open(1)) {
            Communicator communicator = group.communicator(0);
            TypedBuffer ints = communicator.allocate(DataType.INT32, 2);
            TypedBuffer floats = communicator.allocate(DataType.FLOAT32, 2);
            InvalidArgumentException e = assertThrows(
                    InvalidArgumentException.class, () -> communicator.allReduce(ints, floats, ReduceOp.SUM));
            assertEquals("output is 2 float32 elements; allowed: elements of int32, like the input", e.getMessage());
        }
    }

    @Test
    void countsThatNoMemoryHoldsAreRefusedOnAllRanks() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                assertThrows(MsccljException.class, () -> communicator.allocate(DataType.INT64, Long.MAX_VALUE));
                assertThrows(InvalidArgumentException.class, () -> communicator.allocate(DataType.INT64, -1));
                communicator.allocate(DataType.INT64, 0).close();
            });
        }
    }

    @Test
    void aGroupGivesTheValuesOfItsRanks() {
        try (LocalGroup group = open(3)) {
            assertEquals(List.of("rank 0", "rank 1", "rank 2"), group.call(one -> "rank " + one.rank()));
        }
        try (LocalGroup group = open(2)) {
            AbortedException e = assertThrows(
                    AbortedException.class,
                    () -> group.call(one -> {
                        throw new java.io.IOException("no such file");
                    }));
            assertTrue(String.valueOf(e.getMessage()).contains("no such file"), e::getMessage);
        }
    }

    @Test
    void childrenKnowTheirRanksInTheWorld() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(4).backend("host"))) {
            group.run(communicator -> {
                assertEquals(List.of(0, 1, 2, 3), communicator.worldRanks());
                List<Integer> half = communicator.rank() % 2 == 0 ? List.of(2, 0) : List.of(1, 3);
                Optional<Communicator> child = communicator.split(half, "half");
                assertEquals(half, child.orElseThrow().worldRanks());
                try (Communicator own =
                        child.get().split(List.of(child.get().rank()), "own").orElseThrow()) {
                    assertEquals(List.of(communicator.rank()), own.worldRanks());
                }
                child.get().close();
            });
        }
    }

    @Test
    void channelsToAllPeersInOneCall() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                TypedBuffer memory = TypedBuffer.allocate(communicator.device(), DataType.INT64, 7);
                memory.slice(6, 1).fill(rank); // what is put
                SortedMap<Integer, MemoryChannel> channels =
                        communicator.channels().memoryChannels(memory.bytes(), 7);
                SortedMap<Integer, PortChannel> ports = communicator.channels().portChannels(memory.bytes(), 7);
                assertEquals(channels.keySet(), ports.keySet());
                assertEquals(2, channels.size());
                channels.forEach((peer, channel) -> {
                    channel.put(Long.BYTES * rank, 6 * Long.BYTES, Long.BYTES);
                    channel.signal();
                    ports.get(peer).put(Long.BYTES * (3 + rank), 6 * Long.BYTES, Long.BYTES);
                    ports.get(peer).signal();
                });
                channels.values().forEach(channel -> channel.awaitRelaxed(IntegerRanks.LIMIT));
                ports.values().forEach(port -> port.await(IntegerRanks.LIMIT));
                communicator.barrier();
                memory.slice(rank, 1).fill(rank);
                memory.slice(3 + rank, 1).fill(rank);
                assertArrayEquals(
                        new long[] {0, 1, 2, 0, 1, 2}, memory.slice(0, 6).toLongArray());
                communicator.barrier();
            });
        }
    }
}
