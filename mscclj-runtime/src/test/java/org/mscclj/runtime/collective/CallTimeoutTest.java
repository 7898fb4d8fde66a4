package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** A call may have a timeout of its own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallTimeoutTest {
    private static final byte[] ROUND = {'r', 'o', 'u', 'n', 'd'};
    private static final byte[] FLAT = {'f', 'l', 'a', 't'};

    @Test
    void joiningWaitsAsLongAsTheCallSays() {
        CountDownLatch timedOut = new CountDownLatch(1);
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofHours(1)))) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(64)) {
                    CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
                    communicator.execute(call.timeout(Duration.ofHours(1))).join();
                    if (communicator.rank() == 1) {
                        timedOut.await();
                        communicator.execute(call).join();
                    } else {
                        Work work = communicator.execute(call.timeout(Duration.ofMillis(20)));
                        OperationTimeoutException e = assertThrows(OperationTimeoutException.class, work::join);
                        assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                        timedOut.countDown();
                        work.join(Duration.ofMinutes(1)); // it is still in flight
                    }
                    communicator.barrier();
                }
            });
        }
    }

    /**
     * Whoever calls first waits for the others to set up what is called; what it waits for is named, since ranks
     * compare no such words.
     */
    @Test
    void whatIsSetUpIsWaitedForAsLongAsTheCallSays() {
        Duration moment = Duration.ofMillis(20);
        Plan plan = ShippedProgram.PORT.plan(new ProgramSpec(Collective.ALLREDUCE, 2, 2, 0, true, 1));
        List<SetUp> calls = List.of(
                new SetUp(
                        "execute a collective (allreduce of int32, sum, 64 bytes a buffer, in place)",
                        (communicator, buffer) ->
                                communicator.execute(sum(buffer).timeout(moment))),
                new SetUp(
                        "prepare a collective (allreduce of int32, sum, 64 bytes a buffer, in place)",
                        (communicator, buffer) ->
                                communicator.prepare(sum(buffer).timeout(moment))),
                new SetUp(
                        "make the first barrier of streams",
                        (communicator, _) -> communicator.execute(BarrierCall.STREAMS.timeout(moment))),
                new SetUp(
                        "execute a reduction of parts (reduceScatter of int32, sum, parts of [32, 32] bytes)",
                        (communicator, buffer) ->
                                communicator.execute(parts(communicator, buffer).timeout(moment))),
                new SetUp(
                        "prepare a reduction of parts (reduceScatter of int32, sum, parts of [32, 32] bytes)",
                        (communicator, buffer) ->
                                communicator.prepare(parts(communicator, buffer).timeout(moment))),
                new SetUp(
                        "prepare a plan (plan " + plan.name()
                                + " of int32, sum, input of 64 bytes, output of 64 bytes)",
                        (communicator, buffer) -> communicator.execute(PlanCall.of(plan, buffer, buffer, DataType.INT32)
                                .timeout(moment))));
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofHours(1)))) {
            DeviceBuffer[] buffers = new DeviceBuffer[2];
            group.run(communicator -> buffers[communicator.rank()] = communicator.allocate(64));
            for (SetUp call : calls) {
                OperationTimeoutException e = assertThrows(
                        OperationTimeoutException.class,
                        () -> call.make.accept(group.communicator(0), buffers[0]),
                        call.words);
                assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                assertTrue(
                        String.valueOf(e.getMessage())
                                .startsWith(call.words + ": rank 0 waited " + DurationText.of(moment)),
                        e::getMessage);
            }
            group.run(communicator ->
                    communicator.execute(sum(buffers[communicator.rank()])).join());
        }
    }

    /**
     * A call that is set up when it is made for the first time.
     *
     * @param words what a timeout says of it
     */
    private record SetUp(String words, BiConsumer<Communicator, DeviceBuffer> make) {}

    private static CollectiveCall sum(DeviceBuffer buffer) {
        return CollectiveCall.allReduce(buffer, DataType.INT32);
    }

    private static ReduceScatterCall parts(Communicator communicator, DeviceBuffer buffer) {
        return communicator
                .variable()
                .reduceScatter(
                        buffer, List.of(8L, 8L), communicator.device().allocate(32), DataType.INT32, ReduceOp.SUM);
    }

    @Test
    void timeoutsAreNotNegative() {
        try (LocalGroup group = LocalGroup.open(1)) {
            DeviceBuffer buffer = group.communicator(0).allocate(64);
            CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
            assertThrows(InvalidArgumentException.class, () -> call.timeout(Duration.ofNanos(-1)));
            buffer.close();
        }
    }

    @Test
    void barriersWaitAsLongAsTheySay() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofHours(1)))) {
            CountDownLatch timedOut = new CountDownLatch(1);
            group.run(communicator -> {
                assertThrows(InvalidArgumentException.class, () -> communicator.barrier(Duration.ofNanos(-1)));
                if (communicator.rank() == 0) {
                    OperationTimeoutException e = assertThrows(
                            OperationTimeoutException.class, () -> communicator.barrier(Duration.ofMillis(20)));
                    assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                    timedOut.countDown();
                    communicator.barrier();
                } else {
                    timedOut.await();
                    communicator.barrier(Duration.ofMinutes(1));
                }
            });
        }
    }

    @Test
    void ranksThatSayDifferentThingsAreNamedOnAll() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(Duration.ofMinutes(1)))) {
            group.run(communicator -> {
                communicator.requireEqual("shape", () -> ROUND, String::new);
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.requireEqual(
                                "shape", () -> communicator.rank() == 1 ? FLAT : ROUND, String::new));
                assertEquals(
                        "shape: ranks [0, 2]: round; ranks [1]: flat; allowed: the same on all ranks", e.getMessage());
                communicator.barrier();
            });
        }
    }

    @Test
    void whoComparesForTooLongMayCompareAgain() throws Exception {
        CountDownLatch timedOut = new CountDownLatch(1);
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofMinutes(1)))) {
            group.run(communicator -> {
                if (communicator.rank() == 0) {
                    OperationTimeoutException e = assertThrows(
                            OperationTimeoutException.class,
                            () -> communicator.requireEqual("shape", () -> ROUND, String::new, Duration.ofMillis(50)));
                    assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                    timedOut.countDown();
                } else {
                    timedOut.await();
                }
                communicator.requireEqual("shape", () -> ROUND, String::new, Duration.ofMinutes(1));
            });
        }
    }

    /** What one rank alone gets wrong is refused on both, where both are asked. */
    @Test
    void callsOfAllKindsRefuseHintsThatMeanNothing() {
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).strictHints(true).timeout(Duration.ofMinutes(1)))) {
            group.run(communicator -> {
                boolean wrong = communicator.rank() == 1;
                DeviceBuffer buffer = communicator.allocate(8);
                DeviceBuffer output = communicator.allocate(8);
                CollectiveCall collective = CollectiveCall.allReduce(buffer, DataType.INT32);
                ReduceScatterCall parts =
                        new ReduceScatterCall(List.of(buffer, buffer), output, DataType.INT32, ReduceOp.SUM);
                TransferCall transfer = TransferCall.batch().send(buffer, 1 - communicator.rank());
                try (Window window = communicator.openWindow(output)) {
                    List<Executable> calls = List.of(
                            () -> communicator.execute(wrong ? collective.hint("nothing", "1") : collective),
                            () -> communicator.execute(wrong ? parts.hint("nothing", "1") : parts),
                            () -> communicator.prepare(wrong ? parts.hint("nothing", "1") : parts),
                            () -> communicator.execute(transfer.hint("nothing", "1")),
                            () -> window.execute(WindowCall.put(buffer, 0, 0).hint("nothing", "1")));
                    for (Executable call : calls) {
                        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call);
                        assertTrue(
                                String.valueOf(e.getMessage()).contains("hint nothing is not known"), e.getMessage());
                    }
                }
                communicator.execute(collective).join();
            });
        }
    }
}
