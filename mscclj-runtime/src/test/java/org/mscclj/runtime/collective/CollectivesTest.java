package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;

/** Every collective gives what its definition says: any count, world, type, operation, place. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectivesTest {
    static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<Collective> COLLECTIVES = List.of(
            Collective.ALLREDUCE,
            Collective.REDUCESCATTER,
            Collective.ALLGATHER,
            Collective.ALLTOALL,
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    static LocalGroup open(int ranks) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT));
    }

    private static List<Integer> counts(int ranks) {
        return Stream.of(0, 1, 3, ranks - 1, ranks, ranks + 1, 1023, 1025, 65_535)
                .distinct()
                .toList();
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 7})
    void everyCountInEveryPlaceOfMoreWorlds(int ranks) {
        everyCountInEveryPlace(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void everyCountInEveryPlace(int ranks) {
        Random random = seeded(ranks);
        List<CollectiveCase> cases = new ArrayList<>();
        for (Collective collective : COLLECTIVES) {
            for (int count : counts(ranks)) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    cases.add(randomCase(collective, count, inPlace, ranks, random));
                }
            }
        }
        try (LocalGroup group = open(ranks)) {
            group.run(communicator -> {
                for (CollectiveCase each : cases) {
                    executeAndCheck(communicator, each, true);
                    executeAndCheck(communicator, each, false);
                }
            });
        }
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void everyTypeAndOperationOfMoreWorlds(int ranks) {
        everyTypeAndOperation(ranks);
    }

    @Test
    void everyTypeAndOperationOfThree() {
        everyTypeAndOperation(3);
    }

    private static void everyTypeAndOperation(int ranks) {
        List<CollectiveCase> cases = new ArrayList<>();
        for (DataType type : DataType.values()) {
            for (ReduceOp.Kind kind : ReduceOp.Kind.values()) {
                if (kind != ReduceOp.Kind.NOP && kind != ReduceOp.Kind.AVG && kind.supports(type)) {
                    ReduceOp op = kind == ReduceOp.Kind.PREMUL_SUM ? ReduceOp.premulSum(2) : new ReduceOp(kind, 1);
                    for (Collective collective :
                            List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.REDUCE)) {
                        cases.add(new CollectiveCase(collective, type, op, 0, 37, false, 0, 5));
                    }
                }
            }
            if (!type.isFloat()) {
                cases.add(new CollectiveCase(Collective.ALLREDUCE, type, ReduceOp.AVG, 0, 37, true, 0, 5));
            }
        }
        try (LocalGroup group = open(ranks)) {
            group.run(communicator -> {
                for (CollectiveCase each : cases) {
                    executeAndCheck(communicator, each, false);
                }
            });
        }
    }

    /** A reduce has its average or premultiplied sum at its root, and writes no other output. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void reduceScalesAtItsRootAlone(int ranks) {
        List<CollectiveCase> cases = new ArrayList<>();
        for (int root = 0; root < ranks; root++) {
            for (boolean inPlace : new boolean[] {false, true}) {
                for (ReduceOp op : List.of(ReduceOp.AVG, ReduceOp.premulSum(2))) {
                    cases.add(new CollectiveCase(Collective.REDUCE, DataType.INT32, op, root, 37, inPlace, 0, 5));
                }
            }
        }
        try (LocalGroup group = open(ranks)) {
            for (ShippedProgram program : ShippedProgram.values()) {
                if (program.refusal(ProgramSpec.of(Collective.REDUCE, ranks)).isEmpty()) {
                    group.run(communicator -> byName(communicator, program.label(), cases));
                }
            }
        }
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {2, 6})
    void everyAlgorithmByNameInMoreWorlds(int ranks) {
        everyAlgorithmByName(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void everyAlgorithmByName(int ranks) {
        Random random = seeded(ranks);
        // 16 KiB of scratch: large messages take many rounds
        try (LocalGroup group =
                LocalRanks.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT), new ExecutorOptions(16 << 10, 1))) {
            for (ShippedProgram program : ShippedProgram.values()) {
                for (Collective collective : COLLECTIVES) {
                    for (boolean inPlace : new boolean[] {false, true}) {
                        if (program.refusal(ProgramSpec.of(collective, ranks).inPlace(inPlace))
                                .isEmpty()) {
                            List<CollectiveCase> cases = Stream.of(1, ranks + 1, 1023, 9_999)
                                    .map(count -> randomCase(collective, count, inPlace, ranks, random))
                                    .toList();
                            group.run(communicator -> byName(communicator, program.label(), cases));
                        }
                    }
                }
            }
        }
    }

    private static void byName(Communicator communicator, String name, List<CollectiveCase> cases) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        for (CollectiveCase each : cases) {
            DeviceBuffer memory = communicator.allocate(each.memoryBytes(ranks));
            CollectiveCase.Buffers buffers = each.place(memory, rank, ranks);
            try (PreparedOperation operation =
                    communicator.prepare(each.call(buffers).algorithm(name))) {
                assertEquals(name, operation.algorithm());
                for (int launch = 0; launch < 3; launch++) {
                    operation.run(LIMIT);
                    each.check(buffers, rank, ranks, name);
                    each.place(memory, rank, ranks);
                    communicator.barrier(); // peers may have read from this input
                }
            }
            Work work = communicator.execute(each.call(buffers).algorithm(name));
            work.join();
            each.check(buffers, rank, ranks, name);
            assertEquals(name, work.algorithm());
            memory.close();
        }
    }

    @Test
    void sixteenRanks() {
        Random random = seeded(16);
        try (LocalGroup group = open(16)) {
            for (Collective collective : COLLECTIVES) {
                List<CollectiveCase> cases = Stream.of(1, 17, 2_000)
                        .map(count -> randomCase(collective, count, count == 17, 16, random))
                        .toList();
                group.run(communicator -> {
                    for (CollectiveCase each : cases) {
                        executeAndCheck(communicator, each, true);
                        executeAndCheck(communicator, each, false);
                    }
                });
            }
        }
    }

    @Test
    void severalBlocks() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                for (Collective collective : COLLECTIVES) {
                    ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
                    CollectiveCase large = new CollectiveCase(collective, DataType.INT32, op, 0, 300_001, false, 4, 1);
                    executeAndCheck(communicator, large, true);
                    executeAndCheck(communicator, large, false);
                }
            });
        }
    }

    @Test
    void aPlanThatWouldMapMemoryOfAnotherNodeIsPassedOver() {
        ExecutionPlan direct = ExecutionPlan.load(Path.of("..", "examples", "plans", "allreduce_direct_4ranks.json"));
        CollectiveCase each =
                new CollectiveCase(Collective.ALLREDUCE, DataType.INT32, ReduceOp.SUM, 0, 1024, true, 0, 1);
        for (int ranksPerNode : new int[] {4, 2}) {
            try (LocalGroup group = LocalGroup.open(
                    LocalGroupOptions.ranks(4).ranksPerNode(ranksPerNode).timeout(LIMIT))) {
                group.run(communicator -> {
                    communicator.plans().register(direct);
                    assertEquals(
                            communicator.ranksPerNode() == 4 ? direct.name() : "two_level",
                            executeAndCheck(communicator, each, true));
                });
            }
        }
    }

    private static Random seeded(int seed) {
        System.out.println("seed " + seed);
        return new Random(seed);
    }

    static CollectiveCase randomCase(Collective collective, int count, boolean inPlace, int ranks, Random random) {
        DataType type = DataType.values()[random.nextInt(DataType.values().length)];
        ReduceOp op = collective.reduces() ? randomOp(type, random) : ReduceOp.NOP;
        int root = collective.hasRoot() ? random.nextInt(ranks) : 0;
        int offset = random.nextInt(20) * type.byteSize();
        return new CollectiveCase(collective, type, op, root, count, inPlace, offset, random.nextInt());
    }

    private static ReduceOp randomOp(DataType type, Random random) {
        List<ReduceOp> ops = type.isFloat()
                ? List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN)
                : List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.AVG, ReduceOp.BXOR, ReduceOp.BAND);
        return ops.get(random.nextInt(ops.size()));
    }

    /** Executes, small calls twice, and returns the algorithm. */
    static String executeAndCheck(Communicator communicator, CollectiveCase each, boolean registered) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        long bytes = each.memoryBytes(ranks);
        String what = registered ? "registered" : "plain";
        DeviceBuffer memory = registered
                ? communicator.allocate(bytes)
                : communicator.device().allocate(bytes);
        Set<String> algorithms = new HashSet<>();
        int times = each.count() > 10_000 ? 1 : 2;
        for (int time = 0; time < times; time++) {
            CollectiveCase.Buffers buffers = each.place(memory, rank, ranks);
            Work work = communicator.execute(each.call(buffers));
            work.join();
            each.check(buffers, rank, ranks, what + " by " + work.algorithm());
            algorithms.add(work.algorithm());
        }
        memory.close();
        assertEquals(1, algorithms.size());
        return algorithms.iterator().next();
    }
}
