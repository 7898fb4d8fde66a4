package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/** One rank launches later than the others, which say so. All ranks are threads of this JVM. */
public final class LateLaunch {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final int late;
    private final CountDownLatch others;

    /** A launch that one of so many ranks makes late. */
    public LateLaunch(int late, int ranks) {
        this.late = late;
        this.others = new CountDownLatch(ranks - 1);
    }

    /** What each rank does. */
    public void run(Communicator communicator) throws InterruptedException {
        try (DeviceBuffer buffer = communicator.allocate(1024);
                PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32))) {
            operation.run(LIMIT); // so that the late one is not the first
            if (communicator.rank() == late) {
                others.await();
                operation.run(LIMIT);
            } else {
                OperationTimeoutException e =
                        assertThrows(OperationTimeoutException.class, () -> operation.run(Duration.ofMillis(100)));
                others.countDown();
                assertEquals(List.of(late), e.missingRanks(), e::getMessage);
                String message = String.valueOf(e.getMessage());
                assertTrue(
                        message.contains("rank " + late
                                        + ": last completed #1, allreduce of 1 KiB int32, sum, in place, by ")
                                && message.contains(", has not called #2"),
                        message);
                operation.join(LIMIT);
            }
            communicator.barrier();
        }
    }
}
