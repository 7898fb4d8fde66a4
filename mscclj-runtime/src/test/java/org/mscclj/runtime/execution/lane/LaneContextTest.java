package org.mscclj.runtime.execution.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.LaunchOrder;

/** One rank prepares messages to itself while another thread closes their buffers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaneContextTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * A device that does something else just before an operation becomes the user of a buffer, and notes who is
     * retained and released.
     */
    private static final class DisturbedDevice {
        private final BackendDevice device;
        private final List<String> uses = new ArrayList<>();
        private Runnable disturbance = () -> {};

        DisturbedDevice(BackendDevice device) {
            this.device = device;
        }

        private Object invoke(Method method, Object[] arguments) throws Throwable {
            if (List.of("retain", "release").contains(method.getName())) {
                uses.add(method.getName());
            }
            if (method.getName().equals("addUser")) {
                disturbance.run();
            }
            try {
                return method.invoke(device, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        BackendDevice device() {
            return (BackendDevice) Proxy.newProxyInstance(
                    BackendDevice.class.getClassLoader(),
                    new Class<?>[] {BackendDevice.class},
                    (_, method, arguments) -> invoke(method, arguments));
        }

        private void run(ExecutionEnvironment real, Task task) {
            ExecutionEnvironment environment = new ExecutionEnvironment(
                    real.control(),
                    device(),
                    real.links(),
                    real.capabilities(),
                    new LaunchOrder(),
                    real.abort(),
                    LIMIT,
                    ExecutorOptions.DEFAULT);
            TransferExecutor transfers = new TransferExecutor(environment);
            transfers.connect();
            try (Stream stream = device.createStream();
                    DeviceBuffer from = device.allocate(64);
                    DeviceBuffer to = device.allocate(64)) {
                uses.clear();
                task.run(
                        from,
                        to,
                        () -> transfers.prepare(
                                TransferCall.batch().send(from, 0).receive(to, 0),
                                new Preparation("point_to_point", stream, BufferHold.IN_FLIGHT)));
            } finally {
                transfers.closeOperations();
                transfers.close();
            }
        }
    }

    @FunctionalInterface
    private interface Task {
        void run(DeviceBuffer from, DeviceBuffer to, Supplier<PreparedCall> preparing);
    }

    @Test
    void aBufferCannotBeClosedWhileAnOperationBecomesItsUser() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(real -> {
                DisturbedDevice disturbed = new DisturbedDevice(real.device());
                disturbed.run(real, (from, to, preparing) -> {
                    disturbed.disturbance = () -> assertThrows(InvalidArgumentException.class, to::close);
                    PreparedCall prepared = preparing.get();
                    prepared.run(LIMIT);
                    prepared.close();
                });
            });
        }
    }

    @Test
    void whatFailsIsReleasedOnce() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(real -> {
                DisturbedDevice disturbed = new DisturbedDevice(real.device());
                disturbed.run(real, (from, to, preparing) -> {
                    disturbed.disturbance = () -> {
                        throw new IllegalStateException("mine");
                    };
                    assertThrows(IllegalStateException.class, preparing::get);
                    disturbed.disturbance = () -> {};
                    assertEquals(List.of("retain", "retain", "release", "release"), disturbed.uses);
                });
            });
        }
    }
}
