package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.selection.PlanRegistryImpl;

/** Calls of any size of a class that was set up: no rank asks another one, and results are right. */
class AnySizeTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MAX = 1 << 16;

    /** The ranks' part of a test. */
    @FunctionalInterface
    private interface Part {
        void run(RankCollectives collectives, ExecutionEnvironment environment);
    }

    private static void run(int ranks, int ranksPerNode, Part part) throws Exception {
        try (RankEnvironments environments = new RankEnvironments(ranks, ranksPerNode)) {
            environments.run(environment -> {
                PlanExecutor executor = new PlanExecutor(environment);
                RankCollectives collectives = TestCollectives.of(
                        environment, environment.device().createStream(), new PlanRegistryImpl(), executor);
                collectives.connect(Optional.empty());
                part.run(collectives, environment);
                collectives.closeOperations();
                environment.control().barrier(Topic.named("no rank launches any more"));
                environment.links().stop();
                environment.control().barrier(Topic.named("all proxies have stopped"));
                collectives.close();
                executor.close();
            });
        }
    }

    /** The classes that sizes up to {@link #MAX} need are set up by a few calls; 1,000 other counts cost nothing. */
    @ParameterizedTest
    @CsvSource({"2, 2, true", "2, 2, false", "4, 4, true", "4, 4, false", "2, 1, true", "2, 1, false", "4, 2, true"})
    void aThousandCountsCauseNoControlTraffic(int ranks, int ranksPerNode, boolean registered) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("AnySizeTest: seed " + seed);
        run(ranks, ranksPerNode, (collectives, environment) -> {
            Random random = new Random(seed); // equal on all ranks
            int rank = environment.control().rank();
            try (DeviceBuffer memory = environment.device().allocate(Integer.BYTES * (long) MAX)) {
                if (registered) {
                    collectives.register(memory);
                }
                for (int count = MAX; count >= 1; count /= 2) {
                    collectives.execute(sum(memory, 0, count)).join(LIMIT);
                }
                ControlPlane control = environment.control();
                long before = control.nextCall();
                for (int i = 0; i < 1000; i++) {
                    int count = 1 + random.nextInt(i % 2 == 0 ? MAX : 2000);
                    int offset = random.nextInt(MAX - count + 1);
                    for (int element : new int[] {0, count / 2, count - 1}) {
                        memory.segment().setAtIndex(ValueLayout.JAVA_INT, offset + element, i + rank);
                    }
                    collectives.execute(sum(memory, offset, count)).join(LIMIT);
                    int expected = ranks * i + ranks * (ranks - 1) / 2;
                    for (int element : new int[] {0, count / 2, count - 1}) {
                        assertEquals(
                                expected,
                                memory.segment().getAtIndex(ValueLayout.JAVA_INT, offset + element),
                                "count " + count + " at " + offset + ", element " + element);
                    }
                }
                assertEquals(0, control.nextCall() - before, "exchanges");
            }
        });
    }

    /** A warm-up sets up what the first call of each size would. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 4", "2, 1", "4, 2"})
    void warmedClassesCauseNoControlTraffic(int ranks, int ranksPerNode) throws Exception {
        run(ranks, ranksPerNode, (collectives, environment) -> {
            collectives.warmUp(List.of(
                    WarmUp.allReduce(DataType.INT32, Integer.BYTES * (long) MAX),
                    WarmUp.of(Collective.ALLGATHER, DataType.INT32, Integer.BYTES * (long) MAX),
                    WarmUp.of(Collective.REDUCESCATTER, DataType.INT32, Integer.BYTES * (long) MAX)));
            int rank = environment.control().rank();
            long before = environment.control().nextCall();
            try (DeviceBuffer memory = environment.device().allocate(Integer.BYTES * (long) MAX)) {
                for (int count = MAX; count >= 1; count = count / 3) {
                    memory.segment().setAtIndex(ValueLayout.JAVA_INT, count - 1, count + rank);
                    collectives.execute(sum(memory, 0, count)).join(LIMIT);
                    assertEquals(
                            ranks * count + ranks * (ranks - 1) / 2,
                            memory.segment().getAtIndex(ValueLayout.JAVA_INT, count - 1));
                    int part = Math.max(1, count / ranks);
                    DeviceBuffer whole = memory.slice(0, Integer.BYTES * (long) part * ranks);
                    DeviceBuffer own = whole.slice(Integer.BYTES * (long) part * rank, Integer.BYTES * (long) part);
                    collectives
                            .execute(CollectiveCall.reduceScatter(whole, own, DataType.INT32))
                            .join(LIMIT);
                    collectives
                            .execute(CollectiveCall.allGather(own, whole, DataType.INT32))
                            .join(LIMIT);
                }
            }
            assertEquals(0, environment.control().nextCall() - before, "exchanges");
        });
    }

    private static CollectiveCall sum(DeviceBuffer memory, int offset, int count) {
        return CollectiveCall.allReduce(
                memory.slice(Integer.BYTES * (long) offset, Integer.BYTES * (long) count), DataType.INT32);
    }

    /** In place, the buffers of ranks are parts at offsets that depend on the rank and the size. */
    @ParameterizedTest
    @CsvSource({"2, 2, true", "4, 4, true", "4, 4, false", "2, 1, true", "4, 2, true"})
    void partsInPlaceAreFoundAtAnySize(int ranks, int ranksPerNode, boolean registered) throws Exception {
        run(ranks, ranksPerNode, (collectives, environment) -> {
            int rank = environment.control().rank();
            try (DeviceBuffer memory = environment.device().allocate(4L * MAX)) {
                if (registered) {
                    collectives.register(memory);
                }
                for (int count : new int[] {MAX / ranks, 1000, 1, 999, 17, 3000}) {
                    for (Collective collective : List.of(Collective.ALLGATHER, Collective.REDUCESCATTER)) {
                        int start = count % 13;
                        int all = Math.min(count, (MAX - start) / ranks);
                        DeviceBuffer whole = memory.slice(4L * start, 4L * all * ranks);
                        DeviceBuffer own = whole.slice(4L * rank * all, 4L * all);
                        boolean gathers = collective == Collective.ALLGATHER;
                        for (int i = 0; i < all * ranks; i++) {
                            memory.segment().setAtIndex(ValueLayout.JAVA_INT, start + i, i + 1000 * rank);
                        }
                        CollectiveCall call = gathers
                                ? CollectiveCall.allGather(own, whole, DataType.INT32)
                                : CollectiveCall.reduceScatter(whole, own, DataType.INT32);
                        collectives.execute(call).join(LIMIT);
                        for (int i = 0; i < all * ranks; i++) {
                            int owner = i / all;
                            int expected = gathers ? i + 1000 * owner : ranks * i + 500 * ranks * (ranks - 1);
                            if (gathers || owner == rank) {
                                assertEquals(
                                        expected,
                                        memory.segment().getAtIndex(ValueLayout.JAVA_INT, start + i),
                                        collective + " of " + all + ", element " + i);
                            }
                        }
                    }
                }
            }
        });
    }

    /** Averages have memory for addends, which grows when it is too small. */
    @ParameterizedTest
    @CsvSource({"2, 2, FLOAT16", "4, 4, FLOAT32", "2, 1, FLOAT32", "2, 2, INT32", "4, 4, INT32"})
    void averagesOfAnySizeAreRight(int ranks, int ranksPerNode, DataType type) throws Exception {
        run(ranks, ranksPerNode, (collectives, environment) -> {
            try (DeviceBuffer memory = environment.device().allocate(4L * MAX)) {
                collectives.register(memory);
                for (int count : new int[] {64, 20_000, 63, 7000, MAX, 1, 12_345}) {
                    DeviceBuffer buffer = memory.slice(0, (long) count * type.byteSize());
                    buffer.segment().fill((byte) 0);
                    collectives
                            .execute(CollectiveCall.allReduce(buffer, type).op(ReduceOp.AVG))
                            .join(LIMIT);
                    assertEquals(-1, buffer.segment().mismatch(buffer.segment().asSlice(0)));
                    assertEquals(0, buffer.segment().get(ValueLayout.JAVA_BYTE, buffer.byteSize() - 1));
                }
                ControlPlane control = environment.control();
                long before = control.nextCall();
                for (int count = 1; count < MAX; count = count * 3 + 1) {
                    collectives
                            .execute(CollectiveCall.allReduce(memory.slice(0, (long) count * type.byteSize()), type)
                                    .op(ReduceOp.AVG))
                            .join(LIMIT);
                }
                assertEquals(0, control.nextCall() - before, "exchanges");
            }
        });
    }

    /** Launches that nobody joins keep their buffers and sizes while others are bound. */
    @Test
    void manySizesMayBeInFlight() throws Exception {
        run(2, 2, (collectives, environment) -> {
            try (DeviceBuffer memory = environment.device().allocate(4L * MAX)) {
                collectives.execute(sum(memory, 0, 256)).join(LIMIT);
                memory.segment().fill((byte) 0);
                List<Work> works = new ArrayList<>();
                for (int count = 1; count <= 200; count++) {
                    memory.segment().setAtIndex(ValueLayout.JAVA_INT, 256L * (count - 1), count);
                    works.add(collectives.execute(sum(memory, 256 * (count - 1), count)));
                }
                works.forEach(work -> work.join(LIMIT));
                for (int count = 1; count <= 200; count++) {
                    assertEquals(2 * count, memory.segment().getAtIndex(ValueLayout.JAVA_INT, 256L * (count - 1)));
                }
            }
        });
    }
}
