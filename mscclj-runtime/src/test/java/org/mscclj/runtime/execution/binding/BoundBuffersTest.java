package org.mscclj.runtime.execution.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.spi.device.BackendDevice;

/**
 * Operations whose buffers may be closed between launches: other threads may close these at any moment, also while an
 * operation is made.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BoundBuffersTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Plan PLAN =
            ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 1).inPlace(false));

    private final List<String> uses = new ArrayList<>();
    private Runnable whenUsed = () -> {};
    private Runnable whenReleased = () -> {};

    private Object noted(BackendDevice device, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (List.of("addUser", "retain", "release").contains(name)) {
            uses.add(name);
        }
        if (name.equals("addUser")) {
            whenUsed.run();
        }
        try {
            return method.invoke(device, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            if (name.equals("release")) {
                whenReleased.run();
            }
        }
    }

    private interface Task {
        void run(ExecutionEnvironment environment, PlanExecutor executor, PlanCall call, Preparation preparation);
    }

    private void run(Task task) throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(real -> {
                BackendDevice device = (BackendDevice) Proxy.newProxyInstance(
                        BackendDevice.class.getClassLoader(),
                        new Class<?>[] {BackendDevice.class},
                        (_, method, arguments) -> noted(real.device(), method, arguments));
                ExecutionEnvironment environment = RankEnvironments.withDevice(real, device);
                try (DeviceBuffer input = real.device().allocate(64);
                        DeviceBuffer output = real.device().allocate(64);
                        Stream stream = real.device().createStream();
                        PlanExecutor executor = new PlanExecutor(environment)) {
                    try {
                        task.run(
                                environment,
                                executor,
                                PlanCall.of(PLAN, input, output, DataType.INT32),
                                new Preparation("a test", stream, BufferHold.IN_FLIGHT));
                    } finally {
                        executor.closeOperations();
                    }
                }
            });
        }
    }

    @Test
    void aBufferCannotBeClosedWhileAnOperationIsBound() throws Exception {
        run((_, executor, call, preparation) -> {
            PlanSetup setup = executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, 64);
            whenUsed = () -> assertThrows(InvalidArgumentException.class, call.output()::close);
            PreparedCall bound = executor.bind(setup, call, preparation);
            assertEquals(List.of("retain", "retain", "addUser", "addUser", "release", "release"), uses);
            bound.run(LIMIT);
            call.input().close();
            assertThrows(InvalidArgumentException.class, () -> bound.run(LIMIT));
        });
    }

    @Test
    void whatCannotBeReleasedIsReleasedOnce() throws Exception {
        run((_, executor, call, preparation) -> {
            whenReleased = () -> {
                throw new IllegalStateException("mine");
            };
            assertThrows(IllegalStateException.class, () -> executor.prepare(call, preparation));
            whenReleased = () -> {};
            assertEquals(2, uses.stream().filter("release"::equals).count(), uses::toString);
        });
    }
}
