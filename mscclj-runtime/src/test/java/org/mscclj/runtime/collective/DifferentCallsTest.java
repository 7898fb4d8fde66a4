package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/** Calls of known kinds are launched without asking anybody; what came of it is said when the wait for them ends. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DifferentCallsTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    void aTimeoutNamesRanksThatHaveLaunchedAnotherCall() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(CollectivesTest.LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                List<CollectiveCall> calls = List.of(
                        CollectiveCall.allReduce(memory, DataType.INT8),
                        CollectiveCall.broadcast(memory, memory, DataType.INT8, 0));
                for (CollectiveCall call : calls) {
                    communicator.execute(call).join();
                }
                communicator.barrier();
                Work work = communicator.execute(calls.get(communicator.rank() == 1 ? 1 : 0));
                communicator.barrier(); // all have launched
                if (communicator.rank() == 0) {
                    OperationTimeoutException e;
                    do { // until this rank's own launch has begun
                        e = assertThrows(OperationTimeoutException.class, () -> work.join(SHORT));
                    } while (e.missingRanks().isEmpty());
                    assertEquals(List.of(1), e.missingRanks());
                    assertTrue(
                            String.valueOf(e.getMessage())
                                    .contains("ranks [1] have not begun it, although ranks [1] have launched as often"),
                            e.getMessage());
                    assertTrue(
                            String.valueOf(e.getMessage())
                                    .matches(".*rank 1 called broadcast of 64 bytes int8, root 0, in place, by"
                                            + " [a-z_]+, in allocation 1 at offset 0 as #3,"
                                            + " where rank 0 called allreduce of 64 bytes int8, sum, in"
                                            + " place, by .*"),
                            e.getMessage());
                }
                communicator.barrier();
            });
            group.abort("no rank ends these launches");
        }
    }

    @Test
    void aTimeoutSaysThatTheDeviceHasNotBegunYet() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(CollectivesTest.LIMIT))) {
            group.run(communicator -> {
                Communicator other = communicator.split(List.of(0, 1), "other").orElseThrow();
                CollectiveCall call = CollectiveCall.allReduce(communicator.allocate(64), DataType.INT8);
                CollectiveCall behind = CollectiveCall.allReduce(other.allocate(64), DataType.INT8);
                try (Stream stream = communicator.device().createStream();
                        PreparedOperation first = communicator.prepare(call);
                        PreparedOperation second = other.prepare(behind)) {
                    if (communicator.rank() == 0) {
                        first.launch(stream);
                    }
                    second.launch(stream);
                    communicator.barrier(); // both have launched the second
                    if (communicator.rank() == 0) {
                        OperationTimeoutException e =
                                assertThrows(OperationTimeoutException.class, () -> second.join(SHORT));
                        assertTrue(
                                String.valueOf(e.getMessage())
                                        .contains(
                                                "; this rank's device has not begun it, which was enqueued: other work"
                                                        + " holds it up; ranks 0 and 1 called #1, allreduce of"
                                                        + " 64 bytes int8"),
                                e.getMessage());
                        assertEquals(List.of(), e.missingRanks());
                    }
                    communicator.barrier();
                    if (communicator.rank() == 1) {
                        first.launch();
                    }
                    first.join(CollectivesTest.LIMIT);
                    second.join(CollectivesTest.LIMIT);
                }
            });
        }
    }

    /** Both calls run the same plan, so launches of two ranks alone could end; rank 2 stays away. */
    @Test
    void aTimeoutNamesRanksThatHaveLaunchedACallOfOtherPlaces() {
        for (boolean prepared : new boolean[] {false, true}) {
            try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(CollectivesTest.LIMIT))) {
                group.run(communicator -> {
                    DeviceBuffer memory = communicator.allocate(192);
                    List<CollectiveCall> calls = List.of(
                            CollectiveCall.allReduce(memory.slice(0, 64), memory.slice(64, 64), DataType.INT8),
                            CollectiveCall.allReduce(memory.slice(0, 64), memory.slice(128, 64), DataType.INT8));
                    List<PreparedOperation> operations =
                            List.of(communicator.prepare(calls.getFirst()), communicator.prepare(calls.getLast()));
                    for (int i = 0; i < 2; i++) {
                        operations.get(i).run(CollectivesTest.LIMIT);
                        communicator.execute(calls.get(i)).join();
                    }
                    communicator.barrier();
                    int chosen = communicator.rank() == 1 ? 1 : 0;
                    Consumer<Duration> join = _ -> {};
                    if (communicator.rank() < 2 && prepared) {
                        operations.get(chosen).launch();
                        join = operations.get(chosen)::join;
                    } else if (communicator.rank() < 2) {
                        join = communicator.execute(calls.get(chosen))::join;
                    }
                    communicator.barrier(); // all have launched
                    if (communicator.rank() == 0) {
                        Consumer<Duration> joining = join;
                        OperationTimeoutException e =
                                assertThrows(OperationTimeoutException.class, () -> joining.accept(SHORT));
                        assertTrue(
                                String.valueOf(e.getMessage())
                                        .matches(".*rank 1 called allreduce of 64 bytes int8, sum, by [a-z_]+,"
                                                + " from allocation 1 at offset 0 to allocation 1 at offset 128 as #5,"
                                                + " where rank 0 called allreduce of 64 bytes int8, sum, by [a-z_]+,"
                                                + " from allocation 1 at offset 0 to allocation 1 at offset 64.*"),
                                e.getMessage());
                    }
                    communicator.barrier();
                });
                group.abort("no rank ends these launches");
            }
        }
    }
}
