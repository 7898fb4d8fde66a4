package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** A call may have a timeout of its own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallTimeoutTest {
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

    @Test
    void timeoutsArePositive() {
        try (LocalGroup group = LocalGroup.open(1)) {
            DeviceBuffer buffer = group.communicator(0).allocate(64);
            CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
            assertThrows(InvalidArgumentException.class, () -> call.timeout(Duration.ZERO));
            assertThrows(InvalidArgumentException.class, () -> call.timeout(Duration.ofNanos(-1)));
            buffer.close();
        }
    }

    @Test
    void barriersWaitAsLongAsTheySay() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofHours(1)))) {
            CountDownLatch timedOut = new CountDownLatch(1);
            group.run(communicator -> {
                assertThrows(InvalidArgumentException.class, () -> communicator.barrier(Duration.ZERO));
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
                communicator.requireEqual("shape", () -> "round");
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.requireEqual("shape", () -> communicator.rank() == 1 ? "flat" : "round"));
                assertEquals(
                        "shape: ranks [0, 2]: round; ranks [1]: flat; allowed: the same on all ranks", e.getMessage());
                communicator.barrier();
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
