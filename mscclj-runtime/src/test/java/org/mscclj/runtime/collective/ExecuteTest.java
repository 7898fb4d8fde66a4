package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What is kept from call to call never gets in the way: of other sizes, other buffers, closing, other communicators.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecuteTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static CollectiveCase allReduce(int count, int seed) {
        return new CollectiveCase(Collective.ALLREDUCE, DataType.INT32, ReduceOp.SUM, 0, count, true, 0, seed);
    }

    @Test
    void aThousandCallsOfChangingSizes() {
        long seed = 42;
        System.out.println("seed " + seed);
        try (LocalGroup group = CollectivesTest.open(3)) {
            group.run(communicator -> {
                Random random = new Random(seed); // the same calls on all ranks
                DeviceBuffer registered = communicator.allocate(64 << 10);
                DeviceBuffer plain = communicator.device().allocate(64 << 10);
                int[] counts = {0, 1, 2, 3, 100, 1_000, 4_000, 10_001};
                for (int i = 0; i < 1_000; i++) {
                    DeviceBuffer memory = random.nextBoolean() ? registered : plain;
                    CollectiveCase each = allReduce(counts[random.nextInt(counts.length)], i);
                    DeviceBuffer part = memory.slice(0, each.memoryBytes(3));
                    CollectiveCase.Buffers buffers = each.place(part, communicator.rank(), 3);
                    communicator.execute(each.call(buffers)).join();
                    each.check(buffers, communicator.rank(), 3, "call " + i);
                }
                registered.close();
                plain.close();
            });
        }
    }

    @Test
    void moreKindsAndBuffersThanAreKept() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                DeviceBuffer registered = communicator.allocate(1024);
                DeviceBuffer plain = communicator.device().allocate(1024);
                for (int time = 0; time < 2; time++) {
                    for (int bytes = 1; bytes <= 300; bytes++) { // 600 kinds, 512 are kept
                        sumOfOnes(communicator, registered.slice(0, bytes));
                        sumOfOnes(communicator, plain.slice(0, bytes));
                    }
                    for (int offset = 0; offset < 100; offset++) { // one kind, many buffers
                        sumOfOnes(communicator, plain.slice(offset, 8));
                    }
                }
                registered.close();
                plain.close();
            });
        }
    }

    private static void sumOfOnes(Communicator communicator, DeviceBuffer buffer) {
        buffer.segment().fill((byte) 1);
        communicator.allReduce(buffer, buffer, DataType.INT8, ReduceOp.SUM).join();
        assertEquals(communicator.size(), buffer.segment().get(ValueLayout.JAVA_BYTE, buffer.byteSize() - 1));
    }

    @Test
    void worksAreJoinedInAnyOrder() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                List<CollectiveCase> cases = new ArrayList<>();
                List<CollectiveCase.Buffers> buffers = new ArrayList<>();
                Deque<Work> works = new ArrayDeque<>();
                for (int i = 0; i < 40; i++) {
                    CollectiveCase each = allReduce(50, i);
                    cases.add(each);
                    buffers.add(each.place(communicator.device().allocate(each.memoryBytes(2)), rank, 2));
                    works.push(communicator.execute(each.call(buffers.getLast())));
                }
                long sequence = works.getFirst().sequence();
                for (Work work : works) { // last first
                    assertEquals(sequence--, work.sequence());
                    work.join();
                    assertTrue(work.isCompleted());
                }
                for (int i = 0; i < cases.size(); i++) {
                    cases.get(i).check(buffers.get(i), rank, 2, "work " + i);
                    buffers.get(i).memory().close();
                }
            });
        }
    }

    @Test
    void buffersCanBeClosedAfterwardsAndNewOnesTakeTheirPlace() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                for (int i = 0; i < 100; i++) { // the allocator reuses addresses
                    CollectiveCase each = allReduce(20_000, i);
                    for (boolean registered : new boolean[] {false, true}) {
                        DeviceBuffer memory = registered
                                ? communicator.allocate(each.memoryBytes(2))
                                : communicator.device().allocate(each.memoryBytes(2));
                        CollectiveCase.Buffers buffers = each.place(memory, communicator.rank(), 2);
                        Work work = communicator.execute(each.call(buffers));
                        work.join();
                        assertEquals(registered ? "direct" : "scratch", work.algorithm());
                        each.check(buffers, communicator.rank(), 2, "buffer " + i);
                        memory.close();
                        work.join(); // still says that it has ended
                    }
                }
            });
        }
    }

    @Test
    void buffersInFlightCannotBeClosed() {
        CyclicBarrier refused = new CyclicBarrier(2);
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                for (boolean registered : new boolean[] {false, true}) {
                    DeviceBuffer memory = registered
                            ? communicator.allocate(64)
                            : communicator.device().allocate(64);
                    sumOfOnes(communicator, memory); // sets up
                    memory.segment().fill((byte) 1);
                    communicator.barrier();
                    if (communicator.rank() == 0) {
                        Work work = communicator.allReduce(memory, memory, DataType.INT8, ReduceOp.SUM);
                        assertThrows(InvalidArgumentException.class, memory::close);
                        refused.await();
                        work.join();
                    } else {
                        refused.await();
                        communicator
                                .allReduce(memory, memory, DataType.INT8, ReduceOp.SUM)
                                .join();
                    }
                    assertEquals(2, memory.segment().get(ValueLayout.JAVA_BYTE, 63));
                    memory.close();
                    assertThrows(
                            InvalidArgumentException.class,
                            () -> communicator.allReduce(memory, memory, DataType.INT8, ReduceOp.SUM));
                }
            });
        }
    }

    @Test
    void aPreparedOperationKeepsItsBuffersOpen() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                try (var operation = communicator.prepare(CollectiveCall.allReduce(memory, DataType.INT8))) {
                    assertThrows(InvalidArgumentException.class, memory::close);
                    operation.run(LIMIT);
                }
                memory.close();
            });
        }
    }

    @Test
    void anotherStreamCanWait() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                DeviceBuffer copy = communicator.device().allocate(64);
                try (Stream other = communicator.device().createStream()) {
                    for (int i = 0; i < 50; i++) {
                        memory.segment().fill((byte) 1);
                        communicator
                                .allReduce(memory, memory, DataType.INT8, ReduceOp.SUM)
                                .await(other);
                        other.copy(memory, copy);
                        other.synchronize(LIMIT);
                        assertEquals(2, copy.segment().get(ValueLayout.JAVA_BYTE, 63));
                    }
                }
                memory.close();
                copy.close();
            });
        }
    }

    @Test
    void twoCommunicatorsAtOnce() {
        List<Integer> reversed = List.of(2, 1, 0);
        try (LocalGroup group = CollectivesTest.open(3)) {
            group.run(communicator -> {
                try (Communicator child =
                        communicator.split(reversed, "reversed").orElseThrow()) {
                    CollectiveCase one =
                            new CollectiveCase(Collective.ALLGATHER, DataType.INT32, ReduceOp.NOP, 0, 777, false, 0, 1);
                    CollectiveCase two = new CollectiveCase(
                            Collective.REDUCESCATTER, DataType.INT32, ReduceOp.MAX, 0, 9_999, false, 0, 2);
                    DeviceBuffer first = communicator.allocate(one.memoryBytes(3));
                    DeviceBuffer second = child.allocate(two.memoryBytes(3));
                    for (int i = 0; i < 100; i++) {
                        CollectiveCase.Buffers ofFirst = one.place(first, communicator.rank(), 3);
                        CollectiveCase.Buffers ofSecond = two.place(second, child.rank(), 3);
                        boolean swap = (i + communicator.rank()) % 2 == 0;
                        Work firstWork = swap ? null : communicator.execute(one.call(ofFirst));
                        Work secondWork = i == 0 && swap ? null : child.execute(two.call(ofSecond));
                        (firstWork == null ? communicator.execute(one.call(ofFirst)) : firstWork).join();
                        (secondWork == null ? child.execute(two.call(ofSecond)) : secondWork).join();
                        one.check(ofFirst, communicator.rank(), 3, "first, " + i);
                        two.check(ofSecond, child.rank(), 3, "second, " + i);
                    }
                    communicator.barrier();
                    first.close();
                    second.close();
                }
            });
        }
    }
}
