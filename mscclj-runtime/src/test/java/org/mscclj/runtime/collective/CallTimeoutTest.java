package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

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
}
