package org.mscclj.gpu.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.backend.cuda.standin.OtherSoftware;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandIn.Kind;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

/** Memory of other software, as peers of the same process see it. */
@ResourceLock(StandIn.RESOURCE)
class ForeignMemoryTest {
    private static final int BYTES = 10_000;

    private Map<Kind, Long> before;
    private DeviceContext first;
    private DeviceContext second;
    private GpuMemory memory;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        before = StandIn.live();
        first = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        second = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
        memory = new GpuMemory(false);
    }

    @AfterEach
    void close() {
        memory.close();
        first.close();
        second.close();
        assertEquals(before, StandIn.live());
    }

    private DeviceBuffer adopt(long address, long bytes) {
        return memory.adopt(first, address, bytes, () -> {});
    }

    private static long longAt(DeviceBuffer buffer, long offset) {
        long[] value = new long[1];
        buffer.slice(offset, Long.BYTES).copyTo(MemorySegment.ofArray(value));
        return value[0];
    }

    @Test
    void memoryIsCheckedAndLeftAlone() {
        long address = OtherSoftware.allocate(first, BYTES);
        try (DeviceBuffer adopted = adopt(address + 16, 8)) {
            assertEquals(address + 16, adopted.address());
            adopted.copyFrom(MemorySegment.ofArray(new long[] {9}));
        }
        try (DeviceBuffer all = adopt(address, BYTES)) {
            assertEquals(9, longAt(all, 16));
        }
        assertThrows(InvalidArgumentException.class, () -> memory.adopt(second, address, 8, () -> {}));
        assertThrows(InvalidArgumentException.class, () -> adopt(address + 16, BYTES));
        assertThrows(InvalidArgumentException.class, () -> adopt(address, -1));
        assertThrows(InvalidArgumentException.class, () -> adopt(4096, 8));
        OtherSoftware.free(first, address);
    }

    @Test
    void peersUseTheSameAddressOnceTheyMayAccessIt() {
        long address = OtherSoftware.allocate(first, BYTES);
        DeviceBuffer adopted = adopt(address + 72, 800);
        MemoryHandle handle = memory.export(adopted.slice(8, 16));
        BackendException refused = assertThrows(BackendException.class, () -> memory.readCounter(second, address + 80));
        assertEquals("CUDA_ERROR_ILLEGAL_ADDRESS", refused.symbol());
        for (DeviceContext peer : new DeviceContext[] {first, second, second}) {
            try (MappedMemory mapped = memory.map(peer, handle)) {
                assertEquals(address + 80, mapped.address());
                assertEquals(16, mapped.byteSize());
                memory.raiseCounter(peer, mapped.address());
            }
        }
        assertEquals(3, longAt(adopted, 8));
        adopted.close();
        assertThrows(InvalidArgumentException.class, () -> memory.map(second, handle));
        OtherSoftware.free(first, address);
    }

    @Test
    void theOwnerIsToldOnceWhenNobodyUsesItAnyMore() {
        long address = OtherSoftware.allocate(first, BYTES);
        AtomicInteger told = new AtomicInteger();
        DeviceBuffer adopted = memory.adopt(first, address, BYTES, told::incrementAndGet);
        MappedMemory one = memory.map(second, memory.export(adopted));
        MappedMemory two = memory.map(second, memory.export(adopted.slice(8, 8)));
        memory.retain(adopted);
        assertThrows(InvalidArgumentException.class, adopted::close);
        memory.release(adopted);
        adopted.close();
        one.close();
        assertEquals(0, told.get());
        two.close();
        assertEquals(1, told.get());
        two.close();
        adopted.close();
        assertEquals(1, told.get());
        assertThrows(InvalidArgumentException.class, () -> memory.adopt(second, address, BYTES, told::incrementAndGet));
        assertEquals(1, told.get());
        OtherSoftware.free(first, address);
    }

    @Test
    void virtualMemoryOfOthersIsMappedLikeOurs() {
        try (DeviceBuffer owner = memory.allocate(first, 5 << 20)) {
            DeviceBuffer adopted = adopt(owner.address() + 4096, 64);
            MemoryHandle handle = memory.export(adopted.slice(8, 16));
            MappedMemory near = memory.map(first, handle);
            MappedMemory far = memory.map(second, handle);
            assertEquals(owner.address() + 4104, near.address());
            assertNotEquals(near.address(), far.address());
            memory.raiseCounter(second, far.address() + 8);
            assertEquals(1, longAt(owner, 4112));
            adopted.close();
            near.close();
            assertEquals(1, memory.readCounter(second, far.address() + 8));
            far.close();
        }
    }

    @Test
    void whatPeersCannotMapIsRefusedInWords() {
        long pool = OtherSoftware.fromPool(first, BYTES);
        long managed = OtherSoftware.managed(first, BYTES);
        try (DeviceBuffer one = adopt(pool, BYTES);
                DeviceBuffer two = adopt(managed, BYTES)) {
            byte[] ones = new byte[BYTES];
            one.copyFrom(MemorySegment.ofArray(ones));
            one.copyTo(MemorySegment.ofArray(ones));
            assertArrayEquals(new byte[BYTES], ones);
            String message = assertThrows(UnsupportedException.class, () -> memory.export(one))
                    .getMessage();
            assertTrue(message.contains("pool (cudaMallocAsync)") && message.contains("Device.allocate"), message);
            message = assertThrows(UnsupportedException.class, () -> memory.export(two))
                    .getMessage();
            assertTrue(message.contains("managed"), message);
        }
        OtherSoftware.free(first, pool);
        OtherSoftware.free(first, managed);
    }

    @Test
    void memoryThatIsNotShareableIsRefusedToProcesses() {
        long pool = OtherSoftware.allocate(first, BYTES);
        try (GpuMemory shared = new GpuMemory(true);
                DeviceBuffer owner = memory.allocate(first, 5 << 20);
                DeviceBuffer virtual = shared.adopt(first, owner.address(), 64, () -> {});
                DeviceBuffer legacy = shared.adopt(first, pool, 64, () -> {})) {
            String message = assertThrows(UnsupportedException.class, () -> shared.export(virtual))
                    .getMessage();
            assertTrue(message.contains("CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR"), message);
            StandIn.fail("cuIpcGetMemHandle", 1);
            message = assertThrows(UnsupportedException.class, () -> shared.export(legacy))
                    .getMessage();
            assertTrue(
                    message.contains("no handle of it to other processes: exporting an IPC handle failed")
                            && message.contains("code 1"),
                    message);
            shared.export(legacy); // the refusal is not kept
        }
        OtherSoftware.free(first, pool);
    }

    @Test
    void failuresOnTheWayLeaveNothing() {
        long address = OtherSoftware.allocate(first, BYTES);
        try (DeviceBuffer adopted = adopt(address, BYTES)) {
            StandIn.fail("cuPointerGetAttribute", Errors.OUT_OF_MEMORY);
            BackendException failed = assertThrows(BackendException.class, () -> adopt(address, BYTES));
            assertEquals("CUDA_ERROR_OUT_OF_MEMORY", failed.symbol());
            assertTrue(failed.getMessage().contains("reading the attribute MEMORY_TYPE"), failed::getMessage);
            StandIn.fail("cuMemGetAddressRange_v2", 1);
            assertThrows(BackendException.class, () -> memory.export(adopted));
            MemoryHandle handle = memory.export(adopted);
            StandIn.fail("cuCtxEnablePeerAccess", 217);
            String message = assertThrows(BackendException.class, () -> memory.map(second, handle))
                    .getMessage();
            assertTrue(message.contains("enabling access of GPU 1 to memory of GPU 0"), message);
        }
        OtherSoftware.free(first, address);
    }

    /**
     * Calls that ask about memory report the error of earlier work: the GPU has failed, and the memory is not to blame.
     */
    @Test
    void lostContextsAreReportedWithTheCallThatFoundThem() {
        long address = OtherSoftware.allocate(first, BYTES);
        StandIn.fail("cuPointerGetAttribute", 700);
        BackendException failed = assertThrows(BackendException.class, () -> adopt(address, BYTES));
        OtherSoftware.free(first, address);
        assertEquals("CUDA_ERROR_ILLEGAL_ADDRESS", failed.symbol());
        assertTrue(failed.getMessage().contains("GPU 0 has failed"), failed::getMessage);
        String call = failed.getCause().getMessage();
        assertTrue(call.contains("reading the attribute MEMORY_TYPE"), call);
        assertTrue(first.isLost());
        assertFalse(second.isLost());
    }
}
