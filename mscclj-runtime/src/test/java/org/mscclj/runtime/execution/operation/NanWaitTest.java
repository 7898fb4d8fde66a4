package org.mscclj.runtime.execution.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** Before the input is looked at, what was enqueued before has to end; no wait is for ever. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NanWaitTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** A rank of its own, with a launch that nothing ends. */
    private record Waiting(ExecutionEnvironment environment, DeviceBuffer input, Stream stream) {
        NanCheck check() {
            NanCheck check = NanCheck.of(
                    environment, "an operation", DataType.FLOAT32, List.of(new NanCheck.Input("the input", input)));
            assertTrue(check != null);
            return check;
        }
    }

    @FunctionalInterface
    private interface Task {
        void run(Waiting waiting) throws Exception;
    }

    private static void waiting(Duration timeout, Task task) throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(real -> {
                LaunchOrder order = new LaunchOrder();
                assertEquals(1, order.take());
                ExecutionEnvironment environment = new ExecutionEnvironment(
                        real.control(),
                        real.device(),
                        real.links(),
                        real.capabilities(),
                        order,
                        new AbortFlag(),
                        timeout,
                        ExecutorOptions.DEFAULT);
                try (DeviceBuffer input = real.device().allocate(64);
                        Stream stream = real.device().createStream()) {
                    task.run(new Waiting(environment, input, stream));
                }
            });
        }
    }

    @Test
    void anEarlierLaunchHasToEnd() throws Exception {
        waiting(LONG, waiting -> {
            waiting.input().segment().setAtIndex(ValueLayout.JAVA_FLOAT, 3, Float.NaN); // that launch mends it
            CompletableFuture<Void> looked =
                    CompletableFuture.runAsync(() -> waiting.check().look(waiting.stream()));
            assertThrows(Exception.class, () -> looked.get(20, TimeUnit.MILLISECONDS));
            waiting.input().segment().setAtIndex(ValueLayout.JAVA_FLOAT, 3, 1);
            waiting.environment().order().ended(1);
            looked.get();
        });
    }

    @Test
    void theWaitEndsAfterTheTimeout() throws Exception {
        waiting(Duration.ofMillis(20), waiting -> {
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class, () -> waiting.check().look(waiting.stream()));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("an operation, rank 0") && message.contains("nothing was launched"), message);
        });
    }

    @Test
    void anAbortEndsTheWait() throws Exception {
        waiting(LONG, waiting -> {
            CompletableFuture<Void> looked =
                    CompletableFuture.runAsync(() -> waiting.check().look(waiting.stream()));
            waiting.environment().abort().set("enough");
            ExecutionException e = assertThrows(ExecutionException.class, looked::get);
            assertInstanceOf(AbortedException.class, e.getCause());
        });
    }

    @Test
    void memoryThatTheHostDoesNotAccessIsReadInPieces() throws Exception {
        waiting(LONG, waiting -> {
            Capabilities known = waiting.environment().capabilities();
            Capabilities withoutHostMemory = new Capabilities(
                    known.dataTypes(),
                    known.reduceOps(),
                    known.maxRanks(),
                    known.features().stream()
                            .filter(feature -> feature != Feature.HOST_MEMORY)
                            .collect(Collectors.toSet()));
            ExecutionEnvironment real = waiting.environment();
            ExecutionEnvironment environment = new ExecutionEnvironment(
                    real.control(),
                    real.device(),
                    real.links(),
                    withoutHostMemory,
                    new LaunchOrder(),
                    real.abort(),
                    LONG,
                    ExecutorOptions.DEFAULT);
            long count = 5 << 20;
            try (DeviceBuffer large = real.device().allocate(count)) {
                NanCheck check = NanCheck.of(
                        environment,
                        "an operation",
                        DataType.FLOAT8_E4M3,
                        List.of(
                                new NanCheck.Input("the small part", waiting.input()),
                                new NanCheck.Input("the large part", large),
                                new NanCheck.Input("the same part", large)));
                assertTrue(check != null);
                check.look(waiting.stream());
                large.segment().set(ValueLayout.JAVA_BYTE, count - 2, (byte) 0xFF);
                large.segment().set(ValueLayout.JAVA_BYTE, count - 1, (byte) 0x7F);
                InvalidArgumentException e =
                        assertThrows(InvalidArgumentException.class, () -> check.look(waiting.stream()));
                assertTrue(
                        String.valueOf(e.getMessage())
                                .contains("the large part has NaN at element " + (count - 2) + " of " + count
                                        + " float8_e4m3 (byte " + (count - 2) + "), the first of 2;"),
                        e::getMessage);
            }
        });
    }
}
