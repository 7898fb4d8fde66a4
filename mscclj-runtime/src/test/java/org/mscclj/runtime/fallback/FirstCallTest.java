package org.mscclj.runtime.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** What a first call owns is freed once nothing uses it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FirstCallTest {
    private static final Duration MOMENT = Duration.ofMillis(20);
    private static final FallbackCall CALL =
            new FallbackCall(Collective.ALLREDUCE, DataType.FLOAT32, ReduceOp.SUM, 0, false);

    private volatile boolean ends = true;
    private volatile boolean isClosed;

    /** A library whose calls wait until they are released. */
    private static final class Library implements FallbackCommunicator {
        private final CountDownLatch released = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
            return Optional.empty();
        }

        @Override
        public void enqueue(
                Collective collective,
                DeviceBuffer input,
                DeviceBuffer output,
                DataType type,
                ReduceOp op,
                int root,
                Stream stream) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                ended.countDown();
            }
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }

    /** The device, whose next stream is observed. */
    private BackendDevice observed(BackendDevice device) {
        return (BackendDevice) Proxy.newProxyInstance(
                FirstCallTest.class.getClassLoader(), new Class<?>[] {BackendDevice.class}, (_, method, arguments) -> {
                    Object result = method.invoke(device, arguments);
                    return result instanceof Stream stream ? observed(stream) : result;
                });
    }

    private Stream observed(Stream stream) {
        return (Stream) Proxy.newProxyInstance(
                FirstCallTest.class.getClassLoader(), new Class<?>[] {Stream.class}, (_, method, arguments) -> {
                    if (method.getName().equals("synchronize") && !ends) {
                        throw new OperationTimeoutException("it does not end", List.of());
                    }
                    isClosed |= method.getName().equals("close");
                    try {
                        return method.invoke(stream, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @FunctionalInterface
    private interface Task {
        void run(ExecutionEnvironment environment) throws Exception;
    }

    private void within(Task task) throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(real -> task.run(new ExecutionEnvironment(
                    real.control(),
                    observed(real.device()),
                    real.links(),
                    real.capabilities(),
                    new LaunchOrder(),
                    new AbortFlag(),
                    MOMENT,
                    ExecutorOptions.DEFAULT)));
        }
    }

    @Test
    void closingFreesWhatNothingUses() throws Exception {
        within(environment -> {
            FirstCall call = FirstCall.allocate(environment, CALL);
            Library library = new Library();
            library.released.countDown();
            call.run(library, "a library", MOMENT);
            assertFalse(isClosed);
            call.close();
            assertTrue(isClosed);
        });
    }

    @Test
    void whatTheLibraryStillUsesIsFreedByItsThread() throws Exception {
        within(environment -> {
            FirstCall call = FirstCall.allocate(environment, CALL);
            Library library = new Library();
            Thread.ofPlatform().start(() -> environment.abort().set("enough"));
            assertThrows(RuntimeException.class, () -> call.run(library, "a library", MOMENT));
            call.close();
            assertFalse(isClosed);
            library.released.countDown();
            while (!isClosed) {
                Thread.onSpinWait();
            }
            assertEquals(0, library.ended.getCount());
        });
    }

    @Test
    void whatTheDeviceDoesNotEndIsLeft() throws Exception {
        within(environment -> {
            FirstCall call = FirstCall.allocate(environment, CALL);
            Library library = new Library();
            library.released.countDown();
            ends = false;
            OperationTimeoutException late =
                    assertThrows(OperationTimeoutException.class, () -> call.run(library, "a library", MOMENT));
            assertEquals("it does not end", late.getMessage());
            assertEquals(
                    "rank 0: the first allreduce by a library has failed: it does not end",
                    environment.abort().reason().orElseThrow());
            call.close();
            assertFalse(isClosed);
        });
    }
}
