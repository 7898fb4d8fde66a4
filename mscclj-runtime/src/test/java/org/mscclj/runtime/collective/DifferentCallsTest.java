package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
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
                                    .matches(
                                            ".*rank 1 called broadcast of 64 bytes int8, root 0, in place, by [a-z_]+ as #3,"
                                                    + " where rank 0 called allreduce of 64 bytes int8, sum, in place, by .*"),
                            e.getMessage());
                }
                communicator.barrier();
            });
            group.abort("nobody will end these launches");
        }
    }
}
