package org.mscclj.runtime.execution.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryHandle;

/** One rank fails to set its lanes up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransferExecutorTest {
    /** A device that describes memory, and then fails to map any. */
    private static final class FailingDevice {
        private final BackendDevice device;
        private final List<MemoryHandle> described = new ArrayList<>();

        FailingDevice(BackendDevice device) {
            this.device = device;
        }

        BackendDevice proxy() {
            return (BackendDevice) Proxy.newProxyInstance(
                    BackendDevice.class.getClassLoader(),
                    new Class<?>[] {BackendDevice.class},
                    (_, method, arguments) -> invoke(method, arguments));
        }

        private Object invoke(Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("map")) {
                throw new IllegalStateException("on purpose");
            }
            try {
                Object result = method.invoke(device, arguments);
                if (method.getName().equals("export")) {
                    described.add((MemoryHandle) result);
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /**
     * Peers may be about to map what this rank has described: they are to hear first that it gives up, from whoever
     * closes this.
     */
    @Test
    void whatPeersHaveBeenToldOfIsFreedOnlyWhenItIsClosed() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(environment -> {
                FailingDevice failing = new FailingDevice(environment.device());
                TransferExecutor transfers =
                        new TransferExecutor(RankEnvironments.withDevice(environment, failing.proxy()));
                IllegalStateException e = assertThrows(IllegalStateException.class, transfers::connect);
                assertEquals("on purpose", e.getMessage());
                assertFalse(failing.described.isEmpty());
                failing.described.forEach(
                        handle -> environment.device().map(handle).close());
                transfers.close();
                failing.described.forEach(handle -> assertThrows(
                        InvalidArgumentException.class,
                        () -> environment.device().map(handle)));
            });
        }
    }
}
