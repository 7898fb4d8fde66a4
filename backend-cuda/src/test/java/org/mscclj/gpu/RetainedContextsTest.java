package org.mscclj.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** GPUs that are opened, by ranks that share them or not. */
@ResourceLock(StandIn.RESOURCE)
class RetainedContextsTest {
    private Backend backend;
    private long before;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        before = contexts();
        backend = new CudaBackendProvider().open(BackendOptions.threads());
    }

    @AfterEach
    void close() {
        backend.close();
        RetainedContexts.forget();
        assertEquals(before, contexts());
    }

    private static long contexts() {
        return StandIn.live().get(StandIn.Kind.CONTEXTS);
    }

    /** What the driver says of a GPU, such as that it has no memory left, it takes long to say. */
    @Test
    void aGpuThatCannotBeOpenedIsTriedOnce() {
        StandIn.fail("cuDevicePrimaryCtxRetain", 2);
        BackendException refused = assertThrows(BackendException.class, () -> backend.openDevice(0));
        assertEquals("CUDA_ERROR_OUT_OF_MEMORY", refused.symbol());
        StandIn.fail("cuDevicePrimaryCtxRetain", 2);
        assertThrows(BackendException.class, () -> backend.openDevices(List.of(0, 1, 2)));
        backend.openDevices(List.of(0, 1, 2)).forEach(BackendDevice::close);
    }

    @Test
    void ranksTakeTheGpusByTurns() {
        List<BackendDevice> devices = backend.openDevices(List.of(0, 1, 2));
        assertEquals(
                List.of(0, 1, 0), devices.stream().map(BackendDevice::index).toList());
        assertEquals(before + 2, contexts());
        devices.forEach(BackendDevice::close);
        assertEquals(before + 2, contexts(), "for who opens one next");
        try (BackendDevice again = backend.openDevice(3)) {
            assertEquals(1, again.index());
            assertEquals(before + 2, contexts());
        }
    }

    @Test
    void ranksTakeTheGpusThatAreNamed() {
        assertEquals(OptionalInt.of(2), backend.deviceCount());
        List<BackendDevice> devices = backend.openDevices(List.of(1, 1, 1));
        assertEquals(
                List.of(1, 1, 1), devices.stream().map(BackendDevice::index).toList());
        assertEquals(before + 1, contexts());
        devices.forEach(BackendDevice::close);
        List<BackendDevice> reversed = backend.openDevices(List.of(1, 0));
        assertEquals(List.of(1, 0), reversed.stream().map(BackendDevice::index).toList());
        reversed.forEach(BackendDevice::close);
    }
}
