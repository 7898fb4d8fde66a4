package org.mscclj.runtime.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.spi.device.BackendDevice;

/** A rank cannot end its operations on a window: the others hear of it at once, and everybody has the memory back. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // less than the ranks' timeout
class FailingCloseTest {
    private static BackendDevice failing(BackendDevice device, AtomicBoolean fails) {
        return (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(), new Class<?>[] {BackendDevice.class}, (_, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("release") && fails.getAndSet(false)) {
                        throw new BackendException("cannot be released", 1, "TEST");
                    }
                    return result;
                });
    }

    @Test
    void everybodyHearsOfItAndFreesTheWindow() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(real -> {
                int rank = real.control().rank();
                AtomicBoolean fails = new AtomicBoolean();
                ExecutionEnvironment environment = RankEnvironments.withDevice(real, failing(real.device(), fails));
                DeviceBuffer memory = real.device().allocate(64);
                try (DeviceBuffer buffer = real.device().allocate(16);
                        Stream stream = real.device().createStream();
                        OpenWindows windows = new OpenWindows(environment, stream)) {
                    Window window = windows.open(memory);
                    window.prepare(WindowCall.put(buffer, 1 - rank, 8)).run(WindowRanks.TIMEOUT);
                    fails.set(rank == 1);
                    MsccljException e = assertThrows(MsccljException.class, window::close);
                    assertEquals(BackendException.class, e.getClass(), e::getMessage);
                    assertTrue(String.valueOf(e.getMessage()).contains("cannot be released"), e::getMessage);
                    window.close();
                    memory.close();
                }
            });
        }
    }
}
