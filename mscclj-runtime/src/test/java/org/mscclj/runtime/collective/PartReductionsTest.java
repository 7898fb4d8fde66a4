package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Reductions of lists and of parts of any sizes. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartReductionsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static LocalGroup group(int ranks, int ranksPerNode) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks)
                .ranksPerNode(ranksPerNode)
                .backend("host")
                .timeout(LIMIT));
    }

    /** Elements of each part: none, one, odd numbers, many; the same on all ranks. */
    private static List<Long> counts(int ranks, long seed) {
        Random random = new Random(seed);
        long[] some = {0, 1, 37, 1023, 70_001};
        return IntStream.range(0, ranks)
                .mapToObj(rank -> some[random.nextInt(some.length)])
                .toList();
    }

    private static CollectiveCase part(DataType type, ReduceOp op, int root, long count, int seed) {
        return new CollectiveCase(Collective.REDUCE, type, op, root, Math.toIntExact(count), false, 0, seed);
    }

    /** What one rank passes and gets for parts of certain sizes. */
    private record Parts(List<CollectiveCase> cases, List<DeviceBuffer> inputs, DeviceBuffer output)
            implements AutoCloseable {
        static Parts of(Communicator communicator, List<Long> counts, DataType type, ReduceOp op, int seed) {
            List<CollectiveCase> cases = new ArrayList<>();
            List<DeviceBuffer> inputs = new ArrayList<>();
            for (int owner = 0; owner < counts.size(); owner++) {
                cases.add(part(type, op, owner, counts.get(owner), seed + owner));
                inputs.add(communicator.device().allocate(cases.get(owner).sliceBytes()));
            }
            Parts parts = new Parts(
                    cases,
                    inputs,
                    communicator
                            .device()
                            .allocate(cases.get(communicator.rank()).sliceBytes()));
            parts.fill(communicator.rank());
            return parts;
        }

        void fill(int rank) {
            for (int owner = 0; owner < inputs.size(); owner++) {
                cases.get(owner).fill(inputs.get(owner), rank);
            }
        }

        void check(int rank) {
            CollectiveCase own = cases.get(rank);
            for (long i = 0; i < own.count(); i++) {
                int expected = own.reduced(cases.size(), i);
                long at = i;
                assertTrue(
                        SmallNumbers.is(output.segment(), own.type(), i, expected),
                        () -> own + ", rank " + rank + ", element " + at + " is not " + expected);
            }
        }

        @Override
        public void close() {
            inputs.forEach(DeviceBuffer::close);
            output.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3", "4, 2", "5, 5"})
    void partsOfAnySizes(int ranks, int ranksPerNode) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                for (int round = 0; round < 8; round++) {
                    List<Long> counts = counts(ranks, seed + round);
                    try (Parts parts =
                            Parts.of(communicator, counts, DataType.INT32, ReduceOp.SUM, (int) (seed + round))) {
                        Work work = communicator.execute(communicator
                                .variable()
                                .reduceScatter(parts.inputs(), parts.output(), DataType.INT32, ReduceOp.SUM));
                        work.join();
                        assertTrue(work.isCompleted());
                        parts.check(communicator.rank());
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void everyTypeAndOperationPrepared(int ranks) {
        try (LocalGroup group = group(ranks, ranks)) {
            group.run(communicator -> {
                for (DataType type : DataType.values()) {
                    for (ReduceOp.Kind kind : ReduceOp.Kind.values()) {
                        boolean exact = kind != ReduceOp.Kind.AVG || !type.isFloat();
                        if (kind != ReduceOp.Kind.NOP && kind.supports(type) && exact) {
                            ReduceOp op =
                                    kind == ReduceOp.Kind.PREMUL_SUM ? ReduceOp.premulSum(2) : new ReduceOp(kind, 1);
                            preparedTwice(communicator, type, op);
                        }
                    }
                }
            });
        }
    }

    private static void preparedTwice(Communicator communicator, DataType type, ReduceOp op) {
        List<Long> counts = IntStream.range(0, communicator.size())
                .mapToObj(rank -> List.of(13L, 0L, 101L, 1L, 7L).get(rank))
                .toList();
        try (Parts parts = Parts.of(communicator, counts, type, op, 3);
                PreparedOperation operation = communicator.prepare(
                        communicator.variable().reduceScatter(parts.inputs(), parts.output(), type, op))) {
            for (int launch = 0; launch < 2; launch++) {
                parts.output().segment().fill((byte) 0x77);
                if (launch == 0) {
                    operation.run(LIMIT);
                } else {
                    operation.launch();
                    operation.join(LIMIT);
                }
                assertTrue(operation.isCompleted());
                parts.check(communicator.rank());
            }
        }
    }

    /** Registered memory too: outputs of different ranks lie at different places then. */
    @Test
    void partsThatFollowOneAnotherInRegisteredMemory() {
        List<Long> counts = List.of(5L, 0L, 300L);
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                DeviceBuffer memory = communicator.allocate(4096);
                DeviceBuffer input = memory.slice(0, 305 * 4);
                DeviceBuffer output = memory.slice(2048 + 4 * rank, 4 * counts.get(rank));
                for (int i = 0; i < 305; i++) {
                    input.segment().setAtIndex(ValueLayout.JAVA_INT, i, i * (rank + 1));
                }
                ReduceScatterCall call =
                        communicator.variable().reduceScatter(input, counts, output, DataType.INT32, ReduceOp.MAX);
                communicator.execute(call).join();
                int first = rank == 0 ? 0 : 5;
                for (int i = 0; i < counts.get(rank); i++) {
                    assertEquals((first + i) * 3, output.segment().getAtIndex(ValueLayout.JAVA_INT, i));
                }
                try (PreparedOperation prepared = communicator.prepare(call)) {
                    output.segment().fill((byte) 0);
                    prepared.run(LIMIT);
                    for (int i = 0; i < counts.get(rank); i++) {
                        assertEquals((first + i) * 3, output.segment().getAtIndex(ValueLayout.JAVA_INT, i));
                    }
                }
                communicator.barrier();
                memory.close();
            });
        }
    }

    @Test
    void floatsHaveTheSameBitsOnEveryRun() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        List<Long> counts = List.of(4099L, 1L, 777L);
        for (DataType type :
                Stream.of(DataType.values()).filter(DataType::isFloat).toList()) {
            List<byte[]> runs = new ArrayList<>();
            for (int run = 0; run < 3; run++) {
                byte[][] results = new byte[3][];
                try (LocalGroup group = group(3, 3)) {
                    group.run(communicator -> {
                        int rank = communicator.rank();
                        try (Parts parts = Parts.of(communicator, counts, type, ReduceOp.SUM, 1)) {
                            Random random = new Random(seed + rank);
                            parts.inputs().forEach(input -> fill(input.segment(), type, random));
                            communicator
                                    .execute(communicator
                                            .variable()
                                            .reduceScatter(parts.inputs(), parts.output(), type, ReduceOp.SUM))
                                    .join();
                            results[rank] = parts.output().segment().toArray(ValueLayout.JAVA_BYTE);
                        }
                    });
                }
                runs.add(results[0]);
                assertArrayEquals(runs.getFirst(), runs.getLast(), type::toString);
            }
        }
    }

    /** Numbers of which no sum is exact. */
    private static void fill(MemorySegment memory, DataType type, Random random) {
        for (long i = 0; i < memory.byteSize() / type.byteSize(); i++) {
            float value = random.nextFloat(-1, 1);
            switch (type) {
                case FLOAT16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
                case BFLOAT16 ->
                    memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits(value) >>> 16));
                case FLOAT32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
                case FLOAT64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
                default -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) (random.nextInt(0x38) | random.nextInt(2) << 7));
            }
        }
    }

    @Test
    void nothingIsReducedWhereAllPartsAreEmpty() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                try (Parts parts = Parts.of(communicator, List.of(0L, 0L), DataType.INT8, ReduceOp.SUM, 1)) {
                    ReduceScatterCall call = communicator
                            .variable()
                            .reduceScatter(parts.inputs(), parts.output(), DataType.INT8, ReduceOp.SUM);
                    Work work = communicator.execute(call);
                    work.join();
                    assertEquals("none", work.algorithm());
                    try (PreparedOperation prepared = communicator.prepare(call)) {
                        prepared.run(LIMIT);
                        assertEquals("none", prepared.algorithm());
                    }
                }
            });
        }
    }

    private static void assertMentions(MsccljException e, String words) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e::getMessage);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                DeviceBuffer eight = communicator.device().allocate(8);
                DeviceBuffer four = communicator.device().allocate(4);
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator
                                        .variable()
                                        .reduceScatter(List.of(eight), four, DataType.INT32, ReduceOp.SUM)),
                        "one for each rank");
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator
                                        .variable()
                                        .reduceScatter(List.of(eight, eight), four, DataType.INT32, ReduceOp.SUM)),
                        "allowed: 8 bytes, as the input for this rank");
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator
                                        .variable()
                                        .reduceScatter(
                                                eight,
                                                List.of(1L, 1L),
                                                eight.slice(4L * rank, 4),
                                                DataType.INT32,
                                                ReduceOp.SUM)),
                        "overlaps the input for rank " + rank);
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator.execute(communicator
                                        .variable()
                                        .reduceScatter(eight, List.of(1L, 1L), four, DataType.FLOAT32, ReduceOp.BXOR))),
                        "bxor");
                long count = 2 - rank; // of rank 0's part, whose size must be equal on both
                DeviceBuffer output = rank == 0 ? eight : four.slice(0, 0);
                DeviceBuffer input = communicator.device().allocate(4 * count);
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator.execute(communicator
                                        .variable()
                                        .reduceScatter(
                                                input, List.of(count, 0L), output, DataType.INT32, ReduceOp.SUM))),
                        "ranks make different calls");
                input.close();
                communicator.barrier();
                eight.close();
                four.close();
            });
        }
    }

    /** The first part is equal on all ranks, and would have been reduced before anybody looks at the last. */
    @Test
    void nothingIsReducedIfALaterPartDiffers() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                DeviceBuffer input = communicator.device().allocate(16);
                List<Long> counts = List.of(2L, rank == 0 ? 1L : 2L);
                DeviceBuffer output = communicator.device().allocate(8);
                input.segment().fill((byte) 1);
                output.segment().fill((byte) 7);
                assertMentions(
                        assertThrows(
                                InvalidArgumentException.class,
                                () -> communicator.execute(communicator
                                        .variable()
                                        .reduceScatter(input, counts, output, DataType.INT32, ReduceOp.SUM))),
                        "ranks make different calls");
                communicator.barrier();
                for (int i = 0; i < 8; i++) {
                    assertEquals(7, output.segment().get(ValueLayout.JAVA_BYTE, i));
                }
                input.close();
                output.close();
            });
        }
    }

    @Test
    void listsThatVariableCallsWouldRefuseAreRefused() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer eight = communicator.device().allocate(8);
                DeviceBuffer output = communicator.device().allocate(8);
                for (int inputs : new int[] {1, 3}) {
                    ReduceScatterCall call = new ReduceScatterCall(
                            Collections.nCopies(inputs, eight), output, DataType.INT32, ReduceOp.SUM);
                    assertMentions(
                            assertThrows(InvalidArgumentException.class, () -> communicator.execute(call)),
                            "number of inputs is " + inputs + "; allowed: 2");
                    assertMentions(
                            assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call)),
                            "number of inputs is " + inputs + "; allowed: 2");
                }
                ReduceScatterCall tooSmall =
                        new ReduceScatterCall(List.of(eight, eight), output.slice(0, 4), DataType.INT32, ReduceOp.SUM);
                assertMentions(
                        assertThrows(InvalidArgumentException.class, () -> communicator.execute(tooSmall)),
                        "4 bytes; allowed: 8 bytes");
                communicator.barrier();
                eight.close();
                output.close();
            });
        }
    }

    /** What was launched before the abort has ended when the call throws, so that its buffers can be closed. */
    @Test
    void anAbortBetweenTwoPartsLeavesNothingInFlight() {
        for (int times = 0; times < 20; times++) {
            try (LocalGroup group = group(2, 2)) {
                group.run(communicator -> {
                    DeviceBuffer input = communicator.device().allocate(8);
                    DeviceBuffer output = communicator.device().allocate(4);
                    ReduceScatterCall call = new ReduceScatterCall(
                            List.of(input.slice(0, 4), input.slice(4, 4)), output, DataType.INT32, ReduceOp.SUM);
                    communicator.execute(call).join();
                    communicator.barrier();
                    if (communicator.rank() == 0) {
                        HookRegistration _ = communicator.addHook(new CommunicatorHook() {
                            @Override
                            public void afterOperation(OperationDescription operation, long sequence) {
                                communicator.abort("on purpose");
                            }
                        });
                        assertThrows(AbortedException.class, () -> communicator.execute(call));
                        input.close();
                        output.close();
                    }
                });
            }
        }
    }

    /** Where the other rank reduces two parts of all of a buffer of eight bytes, as sums of integers. */
    private static List<ReduceScatterCall> wrong(DeviceBuffer eight, DeviceBuffer output) {
        DeviceBuffer none = eight.slice(0, 0);
        return List.of(
                new ReduceScatterCall(List.of(eight), output, DataType.INT32, ReduceOp.SUM),
                new ReduceScatterCall(List.of(eight, eight), output.slice(0, 4), DataType.INT32, ReduceOp.SUM),
                new ReduceScatterCall(List.of(none, none), none, DataType.INT32, ReduceOp.SUM),
                new ReduceScatterCall(List.of(eight, eight), output, DataType.FLOAT32, ReduceOp.SUM),
                new ReduceScatterCall(List.of(eight, eight), output, DataType.INT32, ReduceOp.MAX));
    }

    /** A rank that refused by itself, or that has fewer parts to reduce, would leave the other waiting. */
    @Test
    void whatOneRankGetsWrongIsRefusedOnAll() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer eight = communicator.device().allocate(8);
                DeviceBuffer none = eight.slice(0, 0);
                DeviceBuffer output = communicator.device().allocate(8);
                ReduceScatterCall good =
                        new ReduceScatterCall(List.of(eight, eight), output, DataType.INT32, ReduceOp.SUM);
                List<ReduceScatterCall> bad = new ArrayList<>(wrong(eight, output));
                bad.add(new ReduceScatterCall(List.of(eight, none), output, DataType.INT32, ReduceOp.SUM));
                for (int deviant = 0; deviant < 2; deviant++) {
                    for (ReduceScatterCall one : bad) {
                        ReduceScatterCall call = communicator.rank() == deviant ? one : good;
                        assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call));
                        assertThrows(InvalidArgumentException.class, () -> communicator.execute(call));
                        communicator.barrier();
                    }
                }
                communicator.execute(good).join();
                eight.close();
                output.close();
            });
        }
    }

    /**
     * What was set up is launched without asking anybody; who does not find it so ends the communicator, so that nobody
     * waits for long.
     */
    @Test
    void whatOneRankGetsWrongEndsTheCommunicatorOnceOthersJustLaunch() {
        for (int deviant = 0; deviant < 2; deviant++) {
            for (int wrong = 0; wrong < 5; wrong++) {
                endsTheCommunicator(deviant, wrong);
            }
        }
    }

    private static void endsTheCommunicator(int deviant, int wrong) {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer eight = communicator.device().allocate(8);
                DeviceBuffer output = communicator.device().allocate(8);
                ReduceScatterCall good =
                        new ReduceScatterCall(List.of(eight, eight), output, DataType.INT32, ReduceOp.SUM);
                communicator.execute(good).join();
                communicator.barrier();
                ReduceScatterCall bad = wrong(eight, output).get(wrong);
                boolean own = communicator.rank() == deviant;
                assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.prepare(own ? bad : good),
                        "to prepare is always compared");
                AbortedException e = assertThrows(
                        AbortedException.class,
                        () -> communicator.execute(own ? bad : good).join());
                assertTrue(
                        String.valueOf(e.getMessage())
                                .contains("rank " + deviant + " makes a call that was not set up, reduceScatter of "),
                        e::getMessage);
            });
        }
    }

    @Test
    void whoDoesNotCallIsNamed() throws Exception {
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).backend("host").timeout(Duration.ofMillis(500)))) {
            Communicator communicator = group.communicator(0);
            DeviceBuffer buffer = communicator.device().allocate(8);
            DeviceBuffer output = communicator.device().allocate(4);
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> communicator.execute(communicator
                            .variable()
                            .reduceScatter(buffer, List.of(1L, 1L), output, DataType.INT32, ReduceOp.SUM)));
            assertEquals(List.of(1), e.missingRanks());
        }
    }

    /** A reduction of the same size to the same rank is another call, and keeps its name. */
    @Test
    void partsAreToldAsParts() {
        List<Long> counts = List.of(4L, 0L, 2L);
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                List<String> told = new ArrayList<>();
                HookRegistration _ = communicator.addHook(new CommunicatorHook() {
                    @Override
                    public void beforeOperation(OperationDescription operation) {
                        told.add(operation.toString());
                    }
                });
                try (Parts parts = Parts.of(communicator, counts, DataType.INT32, ReduceOp.SUM, 1)) {
                    DeviceBuffer first = parts.inputs().getFirst();
                    DeviceBuffer reduced = communicator.device().allocate(first.byteSize());
                    CollectiveCall reduce = CollectiveCall.reduce(first, reduced, DataType.INT32, 0);
                    ReduceScatterCall call = communicator
                            .variable()
                            .reduceScatter(parts.inputs(), parts.output(), DataType.INT32, ReduceOp.SUM);
                    communicator.execute(reduce).join();
                    communicator.execute(call).join();
                    communicator.execute(reduce).join();
                    try (PreparedOperation prepared = communicator.prepare(call)) {
                        prepared.run(LIMIT);
                    }
                    reduced.close();
                }
                List<String> parts = List.of(
                        "part 0 of reducescatter of 16 bytes int32, sum, root 0, by packets",
                        "part 2 of reducescatter of 8 bytes int32, sum, root 2, by packets");
                String whole = "reduce of 16 bytes int32, sum, root 0, by packets";
                assertEquals(
                        Stream.of(List.of(whole), parts, List.of(whole), parts)
                                .flatMap(List::stream)
                                .toList(),
                        told);
            });
        }
    }

    @Test
    void theOutputOverlapsNoInput() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                try (DeviceBuffer memory = communicator.device().allocate(16)) {
                    List<DeviceBuffer> inputs = List.of(memory.slice(0, 4), memory.slice(4, 4));
                    for (int at : new int[] {0, 2, 4, 7}) {
                        ReduceScatterCall call =
                                new ReduceScatterCall(inputs, memory.slice(at, 4), DataType.INT8, ReduceOp.SUM);
                        InvalidArgumentException e =
                                assertThrows(InvalidArgumentException.class, () -> communicator.execute(call));
                        assertTrue(
                                String.valueOf(e.getMessage()).contains("the output overlaps the input for rank"),
                                e::getMessage);
                        assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call));
                    }
                }
            });
        }
    }
}
