package org.mscclj.runtime.execution.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * Who looks for NaN in its input refuses it before anything happens, comes back with a mended one, and the others do
 * not notice.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NanCheckTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String HINT = KnownHint.NAN_CHECK.key();
    private static final int RANKS = 3;
    private static final int COUNT = 999;
    private static final long BYTES = (long) COUNT * Float.BYTES;
    private static final int AT = 17;

    /** The rank with the NaN. */
    private static final int BAD = 1;

    private static LocalGroupOptions options() {
        return LocalGroupOptions.ranks(RANKS).timeout(LIMIT).strictHints(true);
    }

    private static void onRanks(LocalGroup.RankTask task) {
        onRanks(options().hint(HINT, "true"), task);
    }

    private static void onRanks(LocalGroupOptions options, LocalGroup.RankTask task) {
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(task);
        }
    }

    private static void refused(Executable call, String... words) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call);
        for (String word : words) {
            assertTrue(String.valueOf(e.getMessage()).contains(word), e::getMessage);
        }
    }

    private static void set(DeviceBuffer buffer, int index, float value) {
        buffer.segment().setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
    }

    private static DeviceBuffer fill(DeviceBuffer buffer, float value) {
        for (int i = 0; i < buffer.byteSize() / Float.BYTES; i++) {
            set(buffer, i, value);
        }
        return buffer;
    }

    private static void requireAll(DeviceBuffer buffer, float value) {
        for (int i = 0; i < buffer.byteSize() / Float.BYTES; i++) {
            assertEquals(value, buffer.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i));
        }
    }

    /**
     * Launches with a NaN on one rank, which is refused there, and then without.
     *
     * @param launch launches and joins
     */
    private static void refusedOnce(
            Communicator communicator, DeviceBuffer bad, int index, Executable launch, String... words)
            throws Throwable {
        if (communicator.rank() == BAD) {
            float right = bad.segment().getAtIndex(ValueLayout.JAVA_FLOAT, index);
            set(bad, index, Float.NaN);
            refused(launch, words);
            refused(launch, words);
            set(bad, index, right);
        }
        launch.execute();
    }

    private static void unchecked(Executable task) {
        try {
            task.execute();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void executedCalls(boolean comparing) {
        onRanks(
                options().hint(HINT, "true").compareCalls(comparing),
                communicator -> unchecked(() -> {
                    DeviceBuffer input = fill(communicator.allocate(BYTES), communicator.rank());
                    DeviceBuffer output = communicator.allocate(BYTES);
                    CollectiveCall call = CollectiveCall.allReduce(input, output, DataType.FLOAT32);
                    for (int i = 0; i < 3; i++) { // the first time it is set up
                        fill(output, -1);
                        refusedOnce(
                                communicator,
                                input,
                                AT,
                                () -> communicator.execute(call).join(),
                                "allreduce, rank 1: the input has NaN at element 17 of 999 float32 (byte 68),"
                                        + " the first of 1;",
                                "call again with an input without NaN",
                                HINT);
                        requireAll(output, 3);
                        communicator.barrier();
                    }
                    assertEquals(4, communicator.execute(call).sequence(), "what was refused was not launched");
                }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void preparedOperations(boolean comparing) {
        onRanks(
                options().hint(HINT, "true").compareCalls(comparing),
                communicator -> unchecked(() -> {
                    DeviceBuffer input = fill(communicator.allocate(BYTES), communicator.rank());
                    DeviceBuffer output = communicator.allocate(BYTES);
                    try (PreparedOperation operation =
                                    communicator.prepare(CollectiveCall.allReduce(input, output, DataType.FLOAT32));
                            Stream other = communicator.device().createStream()) {
                        List<Executable> launches = List.of(
                                () -> operation.run(LIMIT),
                                () -> {
                                    operation.launch();
                                    operation.join(LIMIT);
                                },
                                () -> {
                                    operation.launch(other);
                                    operation.join(LIMIT);
                                });
                        for (Executable launch : launches) {
                            fill(output, -1);
                            refusedOnce(communicator, input, COUNT - 1, launch, "element 998 of 999");
                            requireAll(output, 3);
                            communicator.barrier();
                        }
                    }
                }));
    }

    @Test
    void whatIsEnqueuedBeforeIsWaitedFor() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.allocate(BYTES), 1);
            DeviceBuffer good = fill(communicator.device().allocate(BYTES), 2);
            DeviceBuffer bad = fill(communicator.device().allocate(BYTES), 2);
            set(bad, AT, Float.NaN);
            try (PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(input, DataType.FLOAT32));
                    Stream other = communicator.device().createStream()) {
                if (communicator.rank() == BAD) {
                    other.copy(bad, input);
                    refused(() -> operation.launch(other), "element 17 of 999");
                }
                other.copy(good, input);
                operation.launch(other);
                operation.join(LIMIT);
                requireAll(input, 6);
            }
            communicator.barrier();
        }));
    }

    @Test
    void earlierLaunchesAreWaitedForOnAnyStream() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer first = fill(communicator.allocate(BYTES), 1);
            DeviceBuffer second = fill(communicator.allocate(BYTES), 1);
            set(first, AT, Float.NaN);
            try (Stream other = communicator.device().createStream();
                    PreparedOperation writes =
                            communicator.prepare(CollectiveCall.allReduce(first, second, DataType.FLOAT32)
                                    .hint(HINT, "false"));
                    PreparedOperation reads =
                            communicator.prepare(CollectiveCall.allReduce(second, DataType.FLOAT32))) {
                writes.launch(other);
                refused(reads::launch, "element 17 of 999");
                set(first, AT, 1);
                communicator.barrier(); // peers may read what is mended here
                writes.launch(other);
                reads.launch();
                reads.join(LIMIT);
                requireAll(second, 9);
            }
            communicator.barrier();
        }));
    }

    @Test
    void partsThatAreReduced() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.device().allocate(BYTES), 1);
            List<Long> counts = List.of(300L, 0L, 699L);
            DeviceBuffer output = communicator.device().allocate(counts.get(communicator.rank()) * Float.BYTES);
            ReduceScatterCall call =
                    communicator.variable().reduceScatter(input, counts, output, DataType.FLOAT32, ReduceOp.SUM);
            String[] words = {
                "reduceScatter, rank 1: the input for rank 2 has NaN at element 10 of 699 float32 (byte 40)"
            };
            for (int i = 0; i < 2; i++) {
                fill(output, -1);
                refusedOnce(
                        communicator,
                        input,
                        310,
                        () -> communicator.execute(call).join(),
                        words);
                requireAll(output, 3);
            }
            try (PreparedOperation operation = communicator.prepare(call)) {
                fill(output, -1);
                refusedOnce(communicator, input, 310, () -> operation.run(LIMIT), words);
                requireAll(output, 3);
                fill(output, -1);
                refusedOnce(
                        communicator,
                        input,
                        310,
                        () -> {
                            operation.launch();
                            operation.join(LIMIT);
                        },
                        words);
                requireAll(output, 3);
            }
            assertEquals(10, communicator.execute(call).sequence(), "of what is refused not even a part is launched");
        }));
    }

    @Test
    void messagesWithAType() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.device().allocate(BYTES), communicator.rank());
            DeviceBuffer output = communicator.device().allocate(BYTES);
            List<Long> counts = List.of(333L, 333L, 333L);
            TransferCall call = communicator.variable().allToAll(input, counts, output, counts, DataType.FLOAT32);
            refusedOnce(
                    communicator,
                    input,
                    AT,
                    () -> communicator.execute(call).join(),
                    "messages, rank 1: what it sends to rank 0 has NaN at element 17 of 333");
            requireAll(output.slice(0, BYTES / 3), 0);
            requireAll(output.slice(BYTES / 3, BYTES / 3), 1);
            try (PreparedOperation operation = communicator.prepare(call)) {
                refusedOnce(communicator, input, AT, () -> operation.run(LIMIT), "what it sends to rank 0");
            }
            set(input, AT, Float.NaN);
            TransferCall gathered = communicator
                    .variable()
                    .allGather(
                            input,
                            List.of(
                                    output,
                                    communicator.device().allocate(BYTES),
                                    communicator.device().allocate(BYTES)));
            communicator.execute(gathered).join(); // of bytes nobody knows what they mean
            refused(() -> communicator.execute(gathered.type(DataType.FLOAT32)), "the first of 1;");
            communicator.execute(gathered.type(DataType.INT32)).join();
            communicator.barrier();
        }));
    }

    @Test
    void messagesHaveWholeElements() {
        try (LocalGroup group = LocalGroup.open(1)) {
            DeviceBuffer buffer = group.communicator(0).device().allocate(6);
            TransferCall call = TransferCall.batch().send(buffer, 0);
            refused(() -> call.type(DataType.FLOAT32), "message to rank 0 is 6 bytes", "a multiple of 4");
            refused(() -> TransferCall.batch().type(DataType.FLOAT32).receive(buffer, 0), "message from rank 0");
            assertEquals(2, call.type(DataType.FLOAT16).type().orElseThrow().byteSize());
            buffer.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BROADCAST", "SCATTER"})
    void onlyTheRootsInputIsLookedAtWhereOthersAreNotRead(Collective collective) {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.allocate(BYTES), 5);
            DeviceBuffer output = communicator.allocate(collective == Collective.BROADCAST ? BYTES : BYTES / RANKS);
            CollectiveCall call = collective == Collective.BROADCAST
                    ? CollectiveCall.broadcast(input, output, DataType.FLOAT32, BAD)
                    : CollectiveCall.scatter(input, output, DataType.FLOAT32, BAD);
            if (communicator.rank() != BAD) {
                set(input, AT, Float.NaN);
            }
            refusedOnce(
                    communicator, input, AT, () -> communicator.execute(call).join(), collective + ", rank 1");
            requireAll(output, 5);
            try (PreparedOperation operation = communicator.prepare(call)) {
                refusedOnce(communicator, input, AT, () -> operation.run(LIMIT), collective + ", rank 1");
            }
            communicator.barrier();
        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void plans(boolean inPlace) {
        Plan sum = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, RANKS));
        Plan broadcast = ShippedProgram.SCRATCH.plan(
                ProgramSpec.of(Collective.BROADCAST, RANKS).root(BAD).inPlace(inPlace));
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.allocate(BYTES), 1);
            DeviceBuffer output = communicator.allocate(BYTES);
            PlanCall summing = PlanCall.of(sum, input, output, DataType.FLOAT32).op(ReduceOp.SUM);
            refusedOnce(
                    communicator,
                    input,
                    AT,
                    () -> communicator.execute(summing).join(),
                    "plan " + sum.name() + ", rank 1: the input has NaN at element 17 of 999");
            requireAll(output, 3);
            try (PreparedOperation operation = communicator.prepare(summing)) {
                refusedOnce(communicator, input, AT, () -> operation.run(LIMIT), "plan " + sum.name());
            }
            if (communicator.rank() != BAD) {
                set(input, AT, Float.NaN);
            }
            PlanCall spreading = PlanCall.of(broadcast, input, inPlace ? input : output, DataType.FLOAT32);
            refusedOnce(
                    communicator,
                    input,
                    AT,
                    () -> communicator.execute(spreading).join(),
                    "plan " + broadcast.name() + ", rank 1");
            requireAll(inPlace ? input : output, 1);
            communicator.barrier();
        }));
    }

    @Test
    void integersAreNotLookedAt() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer buffer = fill(communicator.allocate(BYTES), Float.NaN);
            CollectiveCall call =
                    CollectiveCall.allReduce(buffer, DataType.INT32).op(ReduceOp.MAX);
            communicator.execute(call).join();
            try (PreparedOperation operation = communicator.prepare(call)) {
                operation.run(LIMIT);
            }
            communicator.barrier();
        }));
    }

    @Test
    void whatIsCapturedIsNotLookedAt() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer buffer = fill(communicator.allocate(BYTES), Float.NaN);
            CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.FLOAT32);
            Stream stream = communicator.stream();
            try (PreparedOperation operation = communicator.prepare(call)) {
                try (Graph graph = stream.capture(() -> {
                    assertTrue(stream.isCapturing());
                    operation.launch(stream);
                    communicator.execute(call).join();
                })) {
                    assertEquals(false, stream.isCapturing());
                    graph.launch(stream);
                    stream.synchronize(LIMIT);
                    refused(operation::launch, "the first of 999");
                    fill(buffer, 1);
                    communicator.barrier();
                    graph.launch(stream);
                    stream.synchronize(LIMIT);
                    requireAll(buffer, 9);
                }
            }
            communicator.barrier();
        }));
    }

    @Test
    void theCallsHintComesFirst() {
        onRanks(
                options().hint(HINT, "false"),
                communicator -> unchecked(() -> {
                    DeviceBuffer buffer = fill(communicator.allocate(BYTES), Float.NaN);
                    CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.FLOAT32);
                    communicator.execute(call).join();
                    refused(() -> communicator.execute(call.hint(HINT, "true")), "the first of 999");
                    refused(() -> communicator.execute(call.hint(HINT, "perhaps")), "allowed: false or true");
                    try (PreparedOperation operation = communicator.prepare(call);
                            PreparedOperation looking = communicator.prepare(call.hint(HINT, "true"))) {
                        operation.run(LIMIT);
                        refused(() -> looking.run(LIMIT), "the first of 999");
                    }
                    fill(buffer, 1);
                    communicator.barrier();
                    communicator.execute(call.hint(HINT, "true")).join();
                    requireAll(buffer, 3);
                    communicator.barrier();
                }));
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer buffer = fill(communicator.allocate(BYTES), Float.NaN);
            CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.FLOAT32);
            refused(() -> communicator.execute(call), "the first of 999");
            communicator.execute(call.hint(HINT, "false")).join();
            communicator.barrier();
        }));
    }

    @Test
    void buffersThatAreClosedAreRefusedAsEver() {
        onRanks(communicator -> unchecked(() -> {
            DeviceBuffer input = fill(communicator.device().allocate(BYTES), Float.NaN);
            DeviceBuffer output = communicator.device().allocate(BYTES);
            if (communicator.rank() == BAD) {
                input.close();
            } else {
                fill(input, 1);
            }
            refused(() -> communicator.execute(CollectiveCall.allReduce(input, output, DataType.FLOAT32)), "closed");
            PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(output, DataType.FLOAT32));
            operation.close();
            refused(operation::launch, "this operation is closed");
            communicator.barrier();
        }));
    }

    @Test
    void childrenLookToo() {
        onRanks(communicator -> unchecked(() -> {
            try (Communicator child =
                    communicator.split(List.of(0, 1, 2), "child").orElseThrow()) {
                DeviceBuffer buffer = fill(child.allocate(BYTES), Float.NaN);
                refused(() -> child.execute(CollectiveCall.allReduce(buffer, DataType.FLOAT32)), "the first of 999");
                child.barrier();
                buffer.close();
            }
        }));
    }
}
