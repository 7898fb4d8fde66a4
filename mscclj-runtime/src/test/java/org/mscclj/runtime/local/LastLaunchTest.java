package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** The last launches of prepared operations, as work. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastLaunchTest {
    private static final int BYTES = 64;

    private static void onTwoRanks(LocalGroup.RankTask task) {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(task);
        }
    }

    @Test
    void thereIsNoneBeforeTheFirstLaunchNorByACapture() {
        onTwoRanks(communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    Graph graph = communicator.stream().capture(operation::launch)) {
                graph.launch(communicator.stream());
                communicator.stream().synchronize(communicator.timeout());
                InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, operation::lastLaunch);
                assertTrue(String.valueOf(refused.getMessage()).endsWith("launch this operation first"));
            }
        });
    }

    @Test
    void itWaitsAsLongAsItsCallSays() {
        CountDownLatch waited = new CountDownLatch(1);
        onTwoRanks(communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32)
                            .timeout(Duration.ofSeconds(2)))) { // preparing waits so long, too
                buffer.segment().set(ValueLayout.JAVA_INT, 0, 1);
                if (communicator.rank() == 1) {
                    await(waited);
                    operation.launch();
                } else {
                    operation.launch();
                    Work late = operation.lastLaunch();
                    OperationTimeoutException timeout = assertThrows(OperationTimeoutException.class, late::join);
                    assertEquals(List.of(1), timeout.missingRanks());
                    assertFalse(late.isCompleted());
                    waited.countDown();
                }
                operation.lastLaunch().join(communicator.timeout());
                assertEquals(2, buffer.segment().get(ValueLayout.JAVA_INT, 0));
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void itEndsWithTheOperationThatIsClosed() {
        onTwoRanks(communicator -> {
            Work last;
            long number;
            try (DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32))) {
                operation.launch();
                operation.launch();
                last = operation.lastLaunch();
                number = last.sequence();
                assertEquals(operation.algorithm(), last.algorithm());
            }
            assertTrue(last.isCompleted());
            last.join();
            last.toCompletableFuture().join();
            assertEquals(number, last.sequence());
        });
    }

    @Test
    void partsAreOneLaunch() {
        onTwoRanks(communicator -> {
            try (DeviceBuffer first = communicator.allocate(BYTES);
                    DeviceBuffer second = communicator.allocate(BYTES);
                    DeviceBuffer output = communicator.allocate(BYTES);
                    PreparedOperation operation = communicator.prepare(
                            new ReduceScatterCall(List.of(first, second), output, DataType.INT32, ReduceOp.SUM))) {
                first.segment().set(ValueLayout.JAVA_INT, 0, 3);
                second.segment().set(ValueLayout.JAVA_INT, 0, 4);
                assertThrows(InvalidArgumentException.class, operation::lastLaunch);
                operation.launch();
                Work last = operation.lastLaunch();
                last.join();
                assertTrue(last.isCompleted());
                assertEquals(communicator.rank() == 0 ? 6 : 8, output.segment().get(ValueLayout.JAVA_INT, 0));
            }
        });
    }

    @Test
    void emptyPartsHaveAlwaysEnded() {
        onTwoRanks(communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation = communicator.prepare(new ReduceScatterCall(
                            List.of(buffer.slice(0, 0), buffer.slice(0, 0)),
                            buffer.slice(0, 0),
                            DataType.INT32,
                            ReduceOp.SUM))) {
                operation.launch();
                Work last = operation.lastLaunch();
                assertTrue(last.isCompleted());
                last.join();
            }
        });
    }

    @Test
    void abortsEndIt() {
        onTwoRanks(communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32))) {
                if (communicator.rank() == 0) {
                    operation.launch();
                    Work last = operation.lastLaunch();
                    communicator.abort("on purpose");
                    assertThrows(AbortedException.class, last::join);
                }
            }
        });
    }
}
