package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** A refused call is refused on every rank, in words that help, and the communicator can be used on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectiveErrorsTest {
    private static final int RANKS = 3;
    private static final int BYTES = 240;

    /** What one rank calls, given its rank and 3 · 240 bytes of registered memory. */
    private interface Caller extends BiFunction<Integer, DeviceBuffer, CollectiveCall> {}

    private static void refused(Class<? extends MsccljException> type, String words, Caller caller) {
        refused(type, words, caller, communicator -> call -> {
            communicator.execute(call);
        });
        refused(
                type,
                words,
                caller,
                communicator -> call -> communicator.prepare(call).close());
    }

    private static void refused(
            Class<? extends MsccljException> type,
            String words,
            Caller caller,
            Function<Communicator, java.util.function.Consumer<CollectiveCall>> use) {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(RANKS * BYTES);
                CollectiveCall call = caller.apply(communicator.rank(), memory);
                MsccljException e =
                        assertThrows(type, () -> use.apply(communicator).accept(call));
                assertTrue(String.valueOf(e.getMessage()).contains(words), e::getMessage);
                requireUsable(communicator, memory);
                memory.close();
            });
        }
    }

    private static void requireUsable(Communicator communicator, DeviceBuffer memory) {
        DeviceBuffer part = memory.slice(0, 8);
        part.segment().fill((byte) 1);
        communicator.allReduce(part, part, DataType.INT8, ReduceOp.SUM).join();
        assertEquals(RANKS, part.segment().get(ValueLayout.JAVA_BYTE, 7));
    }

    private static DeviceBuffer part(DeviceBuffer memory, int index) {
        return memory.slice((long) index * BYTES, BYTES);
    }

    @Test
    void sizes() {
        refused(
                InvalidArgumentException.class,
                "the output is 80 bytes; allowed: 240 bytes",
                (_, memory) -> CollectiveCall.allReduce(part(memory, 0), memory.slice(BYTES, 80), DataType.INT32));
        refused(
                InvalidArgumentException.class,
                "the input is 7 bytes",
                (_, memory) -> CollectiveCall.allReduce(memory.slice(0, 7), DataType.INT32));
        refused(
                InvalidArgumentException.class,
                "3 parts of whole int64 elements",
                (_, memory) -> CollectiveCall.allToAll(memory.slice(0, 32), memory.slice(BYTES, 32), DataType.INT64));
        refused(
                InvalidArgumentException.class,
                "the output is 240 bytes; allowed: 720 bytes, 3 parts",
                (_, memory) -> CollectiveCall.allGather(part(memory, 0), part(memory, 1), DataType.INT8));
    }

    @Test
    void operationsRootsAndNames() {
        refused(
                InvalidArgumentException.class,
                "one that is defined on float32",
                (_, memory) -> CollectiveCall.allReduce(part(memory, 0), DataType.FLOAT32)
                        .op(ReduceOp.BXOR));
        refused(
                InvalidArgumentException.class,
                "whole numbers below 2^63",
                (_, memory) -> CollectiveCall.allReduce(part(memory, 0), DataType.INT32)
                        .op(ReduceOp.premulSum(0.5)));
        refused(
                InvalidArgumentException.class,
                "the root is 3; allowed: 0 to 2",
                (_, memory) -> CollectiveCall.broadcast(part(memory, 0), part(memory, 1), DataType.INT8, 3));
        refused(
                InvalidArgumentException.class,
                "one of packets, direct, direct_store, relay, scratch, port",
                (_, memory) ->
                        CollectiveCall.allReduce(part(memory, 0), DataType.INT8).algorithm("fastest"));
    }

    @Test
    void overlap() {
        refused(
                InvalidArgumentException.class,
                "input and output overlap",
                (_, memory) -> CollectiveCall.allReduce(memory.slice(0, 80), memory.slice(40, 80), DataType.INT32));
        refused(
                InvalidArgumentException.class,
                "the input as part",
                (rank, memory) -> CollectiveCall.allGather(
                        memory.slice((rank + 1) % RANKS * 80L, 80), part(memory, 0), DataType.INT32));
    }

    @Test
    void differencesBetweenRanks() {
        refused(
                InvalidArgumentException.class,
                "ranks [1]: allreduce of int8, sum, 80 bytes",
                (rank, memory) -> CollectiveCall.allReduce(memory.slice(0, rank == 1 ? 80 : 160), DataType.INT8));
        refused(
                InvalidArgumentException.class,
                "ranks [0, 1]: allreduce of int8",
                (rank, memory) ->
                        CollectiveCall.allReduce(part(memory, 0), rank == 2 ? DataType.UINT8 : DataType.INT8));
        refused(
                InvalidArgumentException.class,
                "ranks [0]: allreduce of int8, max",
                (rank, memory) -> CollectiveCall.allReduce(part(memory, 0), DataType.INT8)
                        .op(rank == 0 ? ReduceOp.MAX : ReduceOp.MIN));
        refused(
                InvalidArgumentException.class,
                "ranks [2]: broadcast of int8, root 2",
                (rank, memory) ->
                        CollectiveCall.broadcast(part(memory, 0), part(memory, 1), DataType.INT8, rank == 2 ? 2 : 1));
        refused(
                InvalidArgumentException.class,
                "out of place",
                (rank, memory) ->
                        CollectiveCall.allReduce(part(memory, 0), part(memory, rank == 0 ? 0 : 1), DataType.INT8));
        refused(
                InvalidArgumentException.class,
                rank0Refuses(),
                (rank, memory) -> CollectiveCall.allReduce(memory.slice(0, rank == 0 ? 7 : 8), DataType.INT32));
    }

    private static String rank0Refuses() {
        return "rank 0: the input is 7 bytes";
    }

    /** What was set up before is launched without asking the others, so that some have launched when one refuses. */
    @Test
    void aKnownCallThatOneRankGetsWrongFailsOnAllAtOnce() {
        assertFailsOnAll(
                (memory, wrong) -> CollectiveCall.allReduce(memory.slice(0, wrong ? 7 : 8), DataType.INT32),
                "rank 1: the input is 7 bytes");
        assertFailsOnAll(
                (memory, wrong) ->
                        CollectiveCall.allReduce(memory.slice(0, 8), wrong ? DataType.INT64 : DataType.INT32),
                "makes a call that was not set up, allreduce of int64");
    }

    private static void assertFailsOnAll(BiFunction<DeviceBuffer, Boolean, CollectiveCall> calls, String words) {
        long start = System.nanoTime();
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(RANKS * BYTES);
                communicator.execute(calls.apply(memory, false)).join();
                CollectiveCall call = calls.apply(memory, communicator.rank() == 1);
                AbortedException e = assertThrows(
                        AbortedException.class, () -> communicator.execute(call).join());
                String message = String.valueOf(e.getMessage());
                assertTrue(message.contains(words) && message.contains("ranks [0, 2] have launched"), message);
            });
        }
        assertTrue(System.nanoTime() - start < CollectivesTest.LIMIT.toNanos() / 2, "it waited for the time-out");
    }

    @Test
    void placesMustBeEqualToExecuteAndNeedNotToPrepare() {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(RANKS * BYTES);
                DeviceBuffer buffer = memory.slice(8L * communicator.rank(), 40_000 % BYTES);
                CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT8);
                InvalidArgumentException e =
                        assertThrows(InvalidArgumentException.class, () -> communicator.execute(call));
                assertTrue(String.valueOf(e.getMessage()).contains("allocation 1 at offset 8"), e::getMessage);
                buffer.segment().fill((byte) 1);
                try (var operation = communicator.prepare(call)) {
                    operation.run(communicator.timeout());
                }
                assertEquals(RANKS, buffer.segment().get(ValueLayout.JAVA_BYTE, 0));
                requireUsable(communicator, memory);
                memory.close();
            });
        }
    }

    @Test
    void whatNothingCanDoIsUnsupportedAndSaysWhy() {
        refused(
                UnsupportedException.class,
                "packets: there is none for sendrecv",
                (_, memory) -> new CollectiveCall(
                        Collective.SENDRECV,
                        part(memory, 0),
                        part(memory, 1),
                        DataType.INT8,
                        ReduceOp.NOP,
                        0,
                        Optional.empty()));
        refused(
                UnsupportedException.class,
                "direct: in place, a part would be overwritten",
                (_, memory) -> CollectiveCall.allToAll(part(memory, 0), part(memory, 0), DataType.INT8)
                        .algorithm("direct"));
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                DeviceBuffer plain = communicator.device().allocate(64);
                UnsupportedException e = assertThrows(
                        UnsupportedException.class,
                        () -> communicator.execute(
                                CollectiveCall.allReduce(plain, DataType.INT8).algorithm("direct")));
                assertTrue(String.valueOf(e.getMessage()).contains("Communicator.allocate"), e::getMessage);
                plain.close();
            });
        }
    }

    @Test
    void registeredPlansComeFirst() {
        try (LocalGroup group = CollectivesTest.open(4)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                DeviceBuffer plain = communicator.device().allocate(64);
                List<DeviceBuffer> both = List.of(memory, plain);
                assertEquals(List.of("packets", "packets"), algorithms(communicator, both));
                communicator.plans().register(example("allreduce_direct_4ranks"));
                assertEquals(List.of("allreduce_direct_4ranks", "packets"), algorithms(communicator, both));
                communicator.plans().register(example("allreduce_ring_4ranks"));
                assertEquals(
                        List.of("allreduce_direct_4ranks", "allreduce_ring_4ranks"), algorithms(communicator, both));
                var forced = communicator.execute(
                        CollectiveCall.allReduce(memory, DataType.INT8).algorithm("allreduce_ring_4ranks"));
                forced.join();
                assertEquals("allreduce_ring_4ranks", forced.algorithm());
                memory.close();
                plain.close();
            });
        }
    }

    private static List<String> algorithms(Communicator communicator, List<DeviceBuffer> buffers) {
        return buffers.stream()
                .map(buffer -> {
                    buffer.segment().fill((byte) 1);
                    var work = communicator.allReduce(buffer, buffer, DataType.INT8, ReduceOp.SUM);
                    work.join();
                    assertEquals(4, buffer.segment().get(ValueLayout.JAVA_BYTE, 63));
                    return work.algorithm();
                })
                .toList();
    }

    private static ExecutionPlan example(String name) {
        return ExecutionPlan.load(Path.of("..", "examples", "plans", name + ".json"));
    }
}
