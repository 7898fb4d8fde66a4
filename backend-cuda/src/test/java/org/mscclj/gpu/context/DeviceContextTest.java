package org.mscclj.gpu.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.backend.cuda.standin.StandIn;

@ResourceLock(StandIn.RESOURCE)
class DeviceContextTest {
    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @Test
    void aGpuWithoutRoomForOneMoreProcessIsRefusedWithWhatToDo() {
        StandIn.fail("cuDevicePrimaryCtxRetain", Errors.OUT_OF_MEMORY);
        BackendException e =
                assertThrows(BackendException.class, () -> DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0)));
        assertEquals(Errors.OUT_OF_MEMORY, e.code());
        assertTrue(String.valueOf(e.getMessage()).contains("CUDA_DEVICE_MAX_CONNECTIONS"), e::getMessage);
        DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0)).close(); // there is room again
    }

    /** JCuda tells only the name then. */
    @Test
    void anApplicationMayHaveSwitchedTheExceptionsOfJcudaOn() {
        try (DeviceContext other = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1))) { // by which JCuda is loaded
            JCudaDriver.setExceptionsEnabled(true);
            StandIn.fail("cuDevicePrimaryCtxRetain", Errors.OUT_OF_MEMORY);
            BackendException e =
                    assertThrows(BackendException.class, () -> DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0)));
            assertEquals(Errors.OUT_OF_MEMORY, e.code());
            assertEquals("CUDA_ERROR_OUT_OF_MEMORY", e.symbol());
            assertTrue(String.valueOf(e.getMessage()).contains("CUDA_DEVICE_MAX_CONNECTIONS"), e::getMessage);
            assertEquals(1, other.ordinal());
        } finally {
            JCudaDriver.setExceptionsEnabled(false);
        }
    }
}
