package org.mscclj.runtime.execution.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Launches of a device whose driver fails: what is in flight uses memory, which is freed when it has ended, or nothing
 * is left that could end it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailingLaunchTest {
    private static final BackendException DRIVER = new BackendException("launch failed", 719, "LAUNCH_FAILED");

    private final List<String> freed = new CopyOnWriteArrayList<>();

    /** One launch in flight, about which its driver says what the test wants. */
    private static final class Failing implements PreparedLaunch {
        private volatile boolean fails = true;
        private volatile boolean ended;
        private final CountDownLatch asked = new CountDownLatch(1);

        @Override
        public long enqueue(Stream stream, boolean callerJoins) {
            throw new UnsupportedOperationException("one is in flight");
        }

        @Override
        public long enqueued() {
            return 1;
        }

        @Override
        public boolean isEnded(long number) {
            return ended;
        }

        @Override
        public boolean await(long number, long nanos) {
            asked.countDown();
            if (fails) {
                throw DRIVER;
            }
            return ended;
        }

        @Override
        public void orderAfter(long number, Stream stream) {
            throw new UnsupportedOperationException("nothing follows");
        }

        @Override
        public void close() {
            // there is nothing to free
        }
    }

    /** A plane on which nobody can be asked. */
    private static ControlPlane deaf(ControlPlane control) {
        return (ControlPlane) Proxy.newProxyInstance(
                ControlPlane.class.getClassLoader(), new Class<?>[] {ControlPlane.class}, (_, method, arguments) -> {
                    if (method.getName().equals("reportsOf")) {
                        throw DRIVER;
                    }
                    try {
                        return method.invoke(control, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void withOperation(Failing launch, BiConsumer<PreparedCall, AbortFlag> test) throws Exception {
        Plan plan = ShippedProgram.SCRATCH.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 1).inPlace(true));
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(environment -> {
                try (PlanExecutor executor = new PlanExecutor(environment);
                        Stream stream = environment.device().createStream()) {
                    PlanContext context = executor.setUp(plan, DataType.INT32, ReduceOp.Kind.SUM, Long.BYTES)
                            .context();
                    AbortFlag abort = new AbortFlag();
                    ExecutionEnvironment own = new ExecutionEnvironment(
                            deaf(environment.control()),
                            environment.device(),
                            environment.links(),
                            environment.capabilities(),
                            environment.order(),
                            abort,
                            environment.timeout(),
                            environment.options());
                    List<AutoCloseable> resources = new ArrayList<>(List.of(() -> freed.add("memory")));
                    Preparation preparation = new Preparation("a test", stream, BufferHold.UNTIL_CLOSED);
                    test.accept(
                            new PreparedCall(
                                    preparation,
                                    own,
                                    context,
                                    launch,
                                    RecordedAs.of(() -> new OperationDescription(
                                            "a test", "", "", -1, 0, false, preparation.algorithm())),
                                    resources),
                            abort);
                }
            });
        }
    }

    @Test
    void whatFailsOnceIsWaitedForOn() throws Exception {
        Failing launch = new Failing();
        withOperation(launch, (operation, abort) -> {
            Thread closing = Thread.ofPlatform().start(operation::close);
            try {
                launch.asked.await();
                launch.fails = false;
                assertFalse(closing.join(Duration.ofMillis(100)));
                assertEquals(List.of(), freed);
                launch.ended = true;
                closing.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertEquals(List.of("memory"), freed);
            assertFalse(abort.isSet());
        });
    }

    @Test
    void aDeviceThatHasFailedKeepsNobodyFromClosing() throws Exception {
        withOperation(new Failing(), (operation, abort) -> {
            operation.closeForGood();
            assertEquals(List.of("memory"), freed);
            assertEquals(Optional.of(AbortCause.FAILED), abort.cause());
            assertTrue(abort.reason().orElse("").contains("launch failed"), abort.reason()::toString);
            operation.close();
            assertEquals(List.of("memory"), freed);
        });
    }

    @Test
    void aLateLaunchIsLateAlsoIfNobodyCanBeAsked() throws Exception {
        Failing launch = new Failing();
        launch.fails = false;
        withOperation(launch, (operation, _) -> {
            OperationTimeoutException late =
                    assertThrows(OperationTimeoutException.class, () -> operation.join(Duration.ofMillis(20)));
            String message = String.valueOf(late.getMessage());
            assertTrue(message.contains("not ended after 20 ms"), message);
            assertTrue(message.contains("what the ranks do could not be found out: "), message);
            assertTrue(message.contains("launch failed"), message);
            launch.ended = true;
            operation.close();
        });
    }
}
