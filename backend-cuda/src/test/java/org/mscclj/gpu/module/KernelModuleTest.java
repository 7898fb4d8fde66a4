package org.mscclj.gpu.module;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;

@ResourceLock(StandIn.RESOURCE)
class KernelModuleTest {
    private static final byte[] CODE = "CUBIN".getBytes(StandardCharsets.US_ASCII);

    private DeviceContext context;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void aContextSaysWhatItsGpuIs() {
        assertEquals(1, context.ordinal());
        assertEquals("sm_90", context.architecture());
        assertEquals(4, context.multiprocessors());
        assertEquals("Stand-in", context.name());
        assertTrue(context.reaches(0));
    }

    @Test
    void contextsAreSharedAndReleasedWithTheLast() {
        long before = StandIn.live().get(StandIn.Kind.CONTEXTS);
        DeviceContext again = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
        assertEquals(before, StandIn.live().get(StandIn.Kind.CONTEXTS));
        again.close();
        assertEquals(before, StandIn.live().get(StandIn.Kind.CONTEXTS));
    }

    @Test
    void thereIsNoThirdGpu() {
        assertThrows(InvalidArgumentException.class, () -> DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 2)));
    }

    @Test
    void aKernelRunsOnEveryBlock() {
        try (KernelModule module = KernelModule.load(context, CODE);
                Arena arena = Arena.ofConfined()) {
            Kernel add = module.kernel("add");
            assertEquals(32, add.registers());
            assertEquals(1024, add.maxThreads());
            assertEquals(16, add.sharedBytes());
            assertEquals(4, add.blocksPerMultiprocessor(512));
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment target = arena.allocateFrom(ValueLayout.JAVA_LONG, sum.address());
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, 7);
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, 2);
            parameters.setAtIndex(ValueLayout.ADDRESS, 0, target);
            parameters.setAtIndex(ValueLayout.ADDRESS, 1, value);
            add.launch(0, 3, 128, 0, parameters);
            assertEquals(21, sum.get(ValueLayout.JAVA_INT, 0));
        }
    }

    @Test
    void refusedLaunchesSayWhatAndWhy() {
        try (KernelModule module = KernelModule.load(context, CODE)) {
            Kernel add = module.kernel("add");
            BackendException refused =
                    assertThrows(BackendException.class, () -> add.launch(0, 1, 2048, 0, MemorySegment.NULL));
            assertEquals(1, refused.code());
            assertEquals("CUDA_ERROR_INVALID_VALUE", refused.symbol());
            assertTrue(
                    refused.getMessage().startsWith("the launch of add with 1 blocks of 2048 threads"),
                    refused::getMessage);
            assertTrue(refused.getMessage().contains("the stand-in says no"), refused::getMessage);
        }
    }

    @Test
    void unknownKernelsAndBrokenCodeAreRefused() {
        try (KernelModule module = KernelModule.load(context, CODE)) {
            BackendException unknown = assertThrows(BackendException.class, () -> module.kernel("subtract"));
            assertEquals("CUDA_ERROR_NOT_FOUND", unknown.symbol());
        }
        BackendException broken = assertThrows(BackendException.class, () -> KernelModule.load(context, new byte[16]));
        assertEquals("CUDA_ERROR_INVALID_IMAGE", broken.symbol());
    }

    @Test
    void virtualThreadsMayLoadAndAsk() throws InterruptedException {
        int[] blocks = new int[1];
        Thread thread = Thread.ofVirtual().start(() -> {
            try (KernelModule module = KernelModule.load(context, CODE)) {
                blocks[0] = module.kernel("add").blocksPerMultiprocessor(1024);
            }
        });
        thread.join();
        assertEquals(2, blocks[0]);
    }
}
