package org.mscclj.runtime.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.spi.device.BackendDevice;

/**
 * Windows of devices that push their triggers themselves, as GPUs do: the host cannot push answers to gets into their
 * rings.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeBoundWindowTest {
    private static BackendDevice pushing(BackendDevice device) {
        return (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(), new Class<?>[] {BackendDevice.class}, (_, method, arguments) -> {
                    if (method.getName().equals("pushesTriggers")) {
                        return true;
                    }
                    try {
                        return method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void accessesToOtherNodesAreRefusedInWords() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 1)) {
            ranks.run(real -> {
                ExecutionEnvironment environment = RankEnvironments.withDevice(real, pushing(real.device()));
                int rank = real.control().rank();
                int peer = 1 - rank;
                try (DeviceBuffer memory = real.device().allocate(64);
                        DeviceBuffer buffer = real.device().allocate(16);
                        Stream stream = real.device().createStream();
                        OpenWindows windows = new OpenWindows(environment, stream);
                        Window window = windows.open(memory)) {
                    for (WindowCall call : List.of(WindowCall.put(buffer, peer, 8), WindowCall.get(peer, 8, buffer))) {
                        UnsupportedException e =
                                assertThrows(UnsupportedException.class, () -> window.prepare(call), call::toString);
                        assertEquals(
                                call + ": rank " + peer
                                        + " is on another node, and windows of backend host do not lead there;"
                                        + " send messages, or put the ranks on one node",
                                e.getMessage());
                    }
                    window.put(buffer, rank, 0).join();
                }
            });
        }
    }
}
