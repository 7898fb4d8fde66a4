package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Plans of collective {@code test}, all ranks alike and each for itself, that reach what the examples do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandMadePlansTest {
    private static final Path STATUS = Path.of("/proc/self/status");

    private static Plan plan(String name, int ranks, int chunks, int scratchChunks, List<Operation> operations) {
        List<RankPlan> ofRanks = IntStream.range(0, ranks)
                .mapToObj(rank -> new RankPlan(
                        rank,
                        chunks,
                        chunks,
                        scratchChunks,
                        List.of(new ThreadBlock(0, operations, List.of(), List.of(), List.of(), List.of(), List.of())),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()))
                .toList();
        Plan plan = new Plan(
                name, Collective.TEST, Protocol.SIMPLE, false, false, 1024, scratchChunks > 0, 16, 0, -1, ofRanks);
        PlanValidator.validate(plan);
        return plan;
    }

    private static Operation local(DataKind kind, BufferType from, BufferType to, Optional<ReduceOp.Kind> op) {
        return new Operation.Data(
                kind,
                Optional.empty(),
                List.of(),
                List.of(new ChunkRef.Local(from, 0, 1)),
                List.of(new ChunkRef.Local(to, 0, 1)),
                BlockShare.WHOLE,
                op);
    }

    private static Operation copy(BufferType from, BufferType to) {
        return local(DataKind.COPY, from, to, Optional.empty());
    }

    @Test
    void abortEndsAPipelineOfIterationsThatHaveNothingToDo() {
        Plan plan = plan(
                "endless",
                1,
                1,
                0,
                List.of(new Operation.Pipeline(
                        16, Integer.MAX_VALUE, List.of(copy(BufferType.INPUT, BufferType.OUTPUT)))));
        try (LocalGroup group = IntegerRanks.open(1, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(1 << 20);
                DeviceBuffer output = communicator.allocate(1 << 20);
                PreparedOperation operation = communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32));
                operation.launch();
                assertThrows(OperationTimeoutException.class, () -> operation.join(Duration.ofMillis(100)));
                communicator.abort("enough");
                assertThrows(AbortedException.class, () -> operation.join(IntegerRanks.LIMIT));
                operation.close();
            });
        }
    }

    /** The launches of flags 2<sup>32</sup>−1 and 1 use the same half, so the meeting matters without packets, too. */
    @Test
    void ranksMeetWhereFlagsWrapIfScratchHasHalves() {
        Plan plan = plan("halves", 2, 1, 1, List.of(copy(BufferType.INPUT, BufferType.SCRATCH)));
        try (LocalGroup group = IntegerRanks.open(2, new ExecutorOptions(64 << 20, -1))) {
            CountDownLatch peerMayGoOn = new CountDownLatch(1);
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(64);
                DeviceBuffer output = communicator.allocate(64);
                PreparedOperation operation = communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32));
                operation.run(IntegerRanks.LIMIT);
                if (communicator.rank() == 0) {
                    try {
                        assertThrows(OperationTimeoutException.class, () -> operation.run(Duration.ofMillis(100)));
                    } finally {
                        peerMayGoOn.countDown();
                    }
                    operation.join(IntegerRanks.LIMIT);
                } else {
                    peerMayGoOn.await();
                    operation.run(IntegerRanks.LIMIT);
                }
                operation.close();
            });
        }
    }

    @Test
    void sizesDoNotMatterWithoutChunks() {
        Plan plan = plan("chunkless", 2, 0, 0, List.of(new Operation.Nop()));
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(256);
                DeviceBuffer input = memory.slice(0, 16L * (1 + communicator.rank()));
                try (PreparedOperation operation =
                        communicator.prepare(PlanCall.of(plan, input, memory.slice(128, 64), DataType.INT32))) {
                    operation.run(IntegerRanks.LIMIT);
                }
            });
        }
    }

    @Test
    void aTestPlanThatFixesItsOperationRefusesAnother() {
        Plan plan = plan(
                "fixed",
                1,
                1,
                0,
                List.of(local(DataKind.REDUCE, BufferType.INPUT, BufferType.OUTPUT, Optional.of(ReduceOp.Kind.MAX))));
        try (LocalGroup group = IntegerRanks.open(1, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(64);
                DeviceBuffer output = communicator.allocate(64);
                PlanCall call = PlanCall.of(plan, input, output, DataType.INT32);
                communicator.prepare(call).close();
                communicator.prepare(call.op(ReduceOp.MAX)).close();
                assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call.op(ReduceOp.SUM)));
            });
        }
    }

    @Test
    void aClosedBufferOnOneRankIsRefusedOnAll() {
        Plan plan = plan("copy", 2, 1, 0, List.of(copy(BufferType.INPUT, BufferType.OUTPUT)));
        LocalGroupOptions options = LocalGroupOptions.ranks(2).timeout(Duration.ofSeconds(2));
        try (LocalGroup group = LocalRanks.open(options, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(64);
                DeviceBuffer output = communicator.allocate(64);
                if (communicator.rank() == 1) {
                    input.close();
                }
                assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32)));
                output.close();
            });
        }
    }

    @Test
    void memoryForPaddingDoesNotGrowWithTheNumberOfOperations() throws IOException {
        int operations = 4_000;
        Plan plan = plan(
                "long",
                1,
                1,
                0,
                Collections.nCopies(
                        operations, local(DataKind.REDUCE, BufferType.INPUT, BufferType.OUTPUT, Optional.empty())));
        assumeTrue(Files.exists(STATUS), "needs to know how much memory the process has");
        try (LocalGroup group = IntegerRanks.open(1, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(64);
                DeviceBuffer output = communicator.allocate(64);
                long before = residentKilobytes();
                try (PreparedOperation operation =
                        communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32))) {
                    long used = residentKilobytes() - before;
                    assertTrue(used < 64 << 10, () -> operations + " operations took " + used + " kB");
                    operation.run(IntegerRanks.LIMIT);
                }
            });
        }
    }

    private static long residentKilobytes() throws IOException {
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    @Test
    void aPlanWhoseScratchExceedsTheLimitIsRefused() {
        Plan plan = plan("wide", 2, 1, 1 << 20, List.of(copy(BufferType.INPUT, BufferType.SCRATCH)));
        try (LocalGroup group = IntegerRanks.open(2, new ExecutorOptions(1 << 20, 1))) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(64);
                UnsupportedException e = assertThrows(
                        UnsupportedException.class,
                        () -> communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32)));
                assertTrue(String.valueOf(e.getMessage()).contains("1048576 scratch chunks"), e::getMessage);
                buffer.close();
            });
        }
    }

    @Test
    void aTimeoutMayBeForEver() {
        Plan plan = plan("copy", 1, 1, 0, List.of(copy(BufferType.INPUT, BufferType.OUTPUT)));
        Duration forEver = ChronoUnit.FOREVER.getDuration();
        LocalGroupOptions options = LocalGroupOptions.ranks(1).timeout(forEver);
        try (LocalGroup group = LocalRanks.open(options, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer input = communicator.allocate(64);
                DeviceBuffer output = communicator.allocate(64);
                PlanCall call = PlanCall.of(plan, input, output, DataType.INT32);
                try (PreparedOperation operation = communicator.prepare(call)) {
                    operation.run(forEver);
                    operation.join(forEver);
                }
                communicator.execute(call).join();
                communicator.stream().synchronize(forEver);
            });
        }
    }
}
