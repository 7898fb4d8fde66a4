package org.mscclj.gpu.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
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
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandIn.Kind;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.posix.NativeFile;
import org.mscclj.spi.device.DmaBuf;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

@ResourceLock(StandIn.RESOURCE)
class GpuMemoryTest {
    private static final int LARGE = 5 << 20;

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

    private long live(Kind kind) {
        return StandIn.live().get(kind) - before.get(kind);
    }

    private static byte[] content(DeviceBuffer buffer) {
        byte[] content = new byte[(int) buffer.byteSize()];
        buffer.copyTo(MemorySegment.ofArray(content));
        return content;
    }

    @Test
    void aGpuTellsHowMuchOfItsMemoryIsFree() {
        long free = first.freeMemory();
        long freeOfSecond = second.freeMemory();
        try (DeviceBuffer _ = memory.allocate(first, LARGE)) {
            assertEquals(free - (6 << 20), first.freeMemory(), "in pieces of 2 MiB");
            assertEquals(freeOfSecond, second.freeMemory());
        }
        assertEquals(free, first.freeMemory());
    }

    @Test
    void networkCardsGetMemoryByADescriptor() throws IOException {
        assertEquals(Optional.of("0000:a0:00.0"), first.busAddress());
        try (DeviceBuffer buffer = memory.allocate(first, LARGE)) {
            byte[] written = {3, 1, 4, 1, 5, 9, 2, 6};
            buffer.slice(100, written.length).copyFrom(MemorySegment.ofArray(written));
            DmaBuf exported = DmaBufExport.of(first, memory.address(buffer) + 100, written.length)
                    .orElseThrow();
            try (FileChannel file = FileChannel.open(Path.of("/proc/self/fd/" + exported.descriptor()))) {
                ByteBuffer found = ByteBuffer.allocate(written.length);
                assertEquals(written.length, file.read(found, exported.offset()));
                assertArrayEquals(written, found.array());
            } finally {
                assertEquals(0, NativeFile.close(exported.descriptor()));
            }
        }
        assertEquals(Optional.empty(), DmaBufExport.of(first, 4096, 8), "no memory of the GPU");
    }

    @Test
    void moreThanThereCanBeIsRefused() {
        BackendException refused = assertThrows(BackendException.class, () -> memory.allocate(first, Long.MAX_VALUE));
        assertTrue(refused.getMessage().contains("no memory for " + Long.MAX_VALUE + " bytes"), refused::getMessage);
    }

    @Test
    void memoryIsZeroedAndKeepsWhatIsWritten() {
        for (int size : new int[] {0, 1, 511, 4096, 256 << 10, (256 << 10) + 1, LARGE + 13}) {
            try (DeviceBuffer buffer = memory.allocate(first, size)) {
                assertEquals(size, buffer.byteSize());
                assertEquals(0, buffer.address() % 512);
                assertArrayEquals(new byte[size], content(buffer));
                byte[] data = new byte[size];
                new Random(size).nextBytes(data);
                buffer.copyFrom(MemorySegment.ofArray(data));
                assertArrayEquals(data, content(buffer));
                assertThrows(UnsupportedException.class, buffer::segment);
            }
        }
    }

    @Test
    void slicesShareTheMemory() {
        try (DeviceBuffer buffer = memory.allocate(first, 64)) {
            DeviceBuffer slice = buffer.slice(8, 16);
            assertEquals(buffer.address() + 8, slice.address());
            slice.copyFrom(MemorySegment.ofArray(new long[] {1, 2}));
            assertEquals(1, content(buffer)[8]);
            slice.close();
            assertEquals(2, content(buffer.slice(16, 8))[0]);
            assertThrows(InvalidArgumentException.class, () -> buffer.slice(60, 8));
            assertThrows(InvalidArgumentException.class, () -> buffer.copyFrom(MemorySegment.ofArray(new byte[63])));
        }
    }

    @Test
    void smallAllocationsShareABlockAndNeverReuseRoom() {
        DeviceBuffer one = memory.allocate(first, 100);
        DeviceBuffer two = memory.allocate(first, 100);
        assertEquals(one.address() + 512, two.address());
        assertEquals(1, live(Kind.HANDLES));
        long freed = two.address();
        two.copyFrom(MemorySegment.ofArray(new byte[100]));
        two.close();
        DeviceBuffer three = memory.allocate(first, 100);
        assertNotEquals(freed, three.address());
        three.close();
        one.close();
        assertEquals(0, live(Kind.HANDLES));
        assertEquals(0, live(Kind.RANGES));
    }

    @Test
    void fullBlocksAreFollowedByOthers() {
        List<DeviceBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            buffers.add(memory.allocate(first, 256 << 10));
        }
        assertEquals(3, live(Kind.HANDLES));
        buffers.forEach(DeviceBuffer::close);
        assertEquals(0, live(Kind.HANDLES));
    }

    @Test
    void peersOnTheSameGpuUseTheSameAddress() {
        for (int size : new int[] {100, LARGE}) {
            DeviceBuffer buffer = memory.allocate(first, size);
            MappedMemory mapped = memory.map(first, memory.export(buffer.slice(32, 64)));
            assertEquals(buffer.address() + 32, mapped.address());
            assertEquals(64, mapped.byteSize());
            buffer.close();
            assertEquals(1, live(Kind.HANDLES));
            mapped.close();
            mapped.close();
            assertEquals(0, live(Kind.HANDLES));
        }
    }

    @Test
    void peersOnAnotherGpuMapTheBlockOnce() {
        DeviceBuffer one = memory.allocate(first, 100);
        DeviceBuffer two = memory.allocate(first, 100);
        two.copyFrom(MemorySegment.ofArray(new byte[100]));
        MemoryHandle handle = memory.export(two);
        assertTrue(memory.canMap(second, handle));
        MappedMemory mappedOne = memory.map(second, memory.export(one));
        MappedMemory mappedTwo = memory.map(second, handle);
        assertNotEquals(one.address(), mappedOne.address());
        assertEquals(mappedOne.address() + 512, mappedTwo.address());
        assertEquals(2, live(Kind.MAPPINGS));
        memory.raiseCounter(second, mappedTwo.address() + 8);
        memory.raiseCounter(second, mappedTwo.address() + 8);
        assertEquals(2, memory.readCounter(first, two.address() + 8));
        one.close();
        two.close();
        mappedOne.close();
        assertEquals(2, live(Kind.MAPPINGS));
        assertEquals(2, memory.readCounter(second, mappedTwo.address() + 8));
        mappedTwo.close();
        assertEquals(0, live(Kind.MAPPINGS));
        assertEquals(0, live(Kind.HANDLES));
    }

    private void assertRefused(MemoryHandle handle, String reason) {
        assertFalse(memory.canMap(second, handle));
        String message = assertThrows(UnsupportedException.class, () -> memory.map(second, handle))
                .getMessage();
        assertTrue(message.contains(reason), message);
    }

    @Test
    void refusalsSayWhichOfTheReasonsItIs() {
        try (DeviceBuffer buffer = memory.allocate(first, 100)) {
            MemoryHandle handle = memory.export(buffer);
            byte[] unseen = handle.bytes();
            unseen[Long.BYTES] ^= 1; // of the GPU's identity
            assertRefused(new MemoryHandle("cuda", unseen), "CUDA_VISIBLE_DEVICES");
            assertRefused(new MemoryHandle("host", handle.bytes()), "same backend");
            StandIn.withoutAtomics(true);
            try {
                assertRefused(handle, "nvidia-smi topo -p2p a");
            } finally {
                StandIn.withoutAtomics(false);
            }
            memory.map(second, handle).close();
        }
    }

    @Test
    void handlesOfFreedMemoryAndOfOthersAreRefused() {
        DeviceBuffer buffer = memory.allocate(first, 100);
        MemoryHandle handle = memory.export(buffer);
        buffer.close();
        assertThrows(InvalidArgumentException.class, () -> memory.map(first, handle));
        byte[] bytes = handle.bytes();
        bytes[0] ^= 1; // another process
        MemoryHandle foreign = new MemoryHandle("cuda", bytes);
        assertFalse(memory.canMap(first, foreign));
        assertThrows(UnsupportedException.class, () -> memory.map(first, foreign));
        assertFalse(memory.canMap(first, new MemoryHandle("cuda", new byte[3])));
        assertFalse(memory.canMap(first, new MemoryHandle("host", handle.bytes())));
    }

    @Test
    void pinnedMemoryIsTheHostsToo() {
        try (DeviceBuffer buffer = memory.allocateHost(first, 4000)) {
            MemorySegment segment = buffer.segment();
            assertEquals(segment.address(), buffer.address());
            assertArrayEquals(new byte[4000], content(buffer));
            assertThrows(UnsupportedException.class, () -> memory.export(buffer));
            buffer.close();
            assertThrows(IllegalStateException.class, () -> segment.fill((byte) 1));
            assertThrows(InvalidArgumentException.class, () -> content(buffer));
        }
    }

    @Test
    void buffersInUseStayOpen() {
        DeviceBuffer buffer = memory.allocate(first, 10);
        memory.retain(buffer);
        assertThrows(InvalidArgumentException.class, buffer::close);
        memory.release(buffer);
        buffer.close();
        buffer.close();
        assertThrows(InvalidArgumentException.class, () -> memory.retain(buffer));
    }

    @Test
    void tooMuchIsRefusedInWords() {
        BackendException refused = assertThrows(BackendException.class, () -> memory.allocate(first, 1L << 41));
        assertEquals("CUDA_ERROR_OUT_OF_MEMORY", refused.symbol());
        assertTrue(refused.getMessage().contains("no memory for"), refused::getMessage);
        assertThrows(InvalidArgumentException.class, () -> memory.allocate(first, -1));
        assertThrows(InvalidArgumentException.class, () -> memory.allocateHost(first, -1));
        StandIn.fail("cuMemHostAlloc", 1);
        BackendException unpinned = assertThrows(BackendException.class, () -> memory.allocateHost(first, 64));
        assertTrue(unpinned.getMessage().contains("the allocation of 64 bytes of pinned memory"), unpinned::getMessage);
        memory.allocateHost(first, 0).close();
    }

    @Test
    void failuresOnTheWayLeaveNothing() {
        memory.allocate(first, 1).close(); // what the host needs to zero memory stays
        Map<Kind, Long> idle = StandIn.live();
        for (String function : List.of(
                "cuMemCreate",
                "cuMemAddressReserve",
                "cuMemMap",
                "cuMemSetAccess",
                "cuMemsetD8Async",
                "cuStreamQuery")) {
            for (int size : new int[] {100, LARGE}) {
                StandIn.fail(function, 1);
                assertThrows(BackendException.class, () -> memory.allocate(first, size), function);
                assertEquals(idle, StandIn.live(), function);
            }
        }
        for (String function : List.of("cuMemAddressReserve", "cuMemMap", "cuMemSetAccess")) {
            try (DeviceBuffer buffer = memory.allocate(first, 100)) {
                MemoryHandle handle = memory.export(buffer);
                StandIn.fail(function, 1);
                assertThrows(BackendException.class, () -> memory.map(second, handle), function);
            }
            assertEquals(idle, StandIn.live(), function);
        }
    }

    @Test
    void memoryOutlivesTheContextsThatItWasAllocatedIn() {
        DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        GpuMemory group = new GpuMemory(false);
        DeviceBuffer buffer = group.allocate(context, LARGE);
        DeviceBuffer pinned = group.allocateHost(context, 64);
        MappedMemory mapped = group.map(second, group.export(buffer));
        context.close();
        first.close();
        group.close();
        buffer.close();
        pinned.close();
        assertEquals(before.get(Kind.CONTEXTS) + 2, StandIn.live().get(Kind.CONTEXTS));
        mapped.close();
        assertEquals(before.get(Kind.CONTEXTS) + 1, StandIn.live().get(Kind.CONTEXTS));
        first = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
    }

    @Test
    void aThousandRoundsLeakNothing() {
        Map<Kind, Long> idle = StandIn.live();
        GpuMemory group = new GpuMemory(false);
        try (DeviceBuffer kept = group.allocate(first, 1)) {
            for (int round = 0; round < 1000; round++) {
                DeviceBuffer small = group.allocate(first, 1000);
                DeviceBuffer pinned = group.allocateHost(first, 64);
                MappedMemory mapped = group.map(second, group.export(small));
                small.close();
                mapped.close();
                pinned.close();
            }
            assertEquals(1, kept.byteSize());
        }
        group.close();
        assertEquals(idle, StandIn.live());
    }

    @Test
    void manyGroupsLeakNothing() {
        Map<Kind, Long> idle = StandIn.live();
        for (int round = 0; round < 100; round++) {
            GpuMemory group = new GpuMemory(false);
            DeviceBuffer large = group.allocate(second, 300_000);
            MappedMemory mapped = group.map(first, group.export(large));
            large.close();
            mapped.close();
            group.close();
        }
        assertEquals(idle, StandIn.live());
    }

    @Test
    void buffersThatOutliveTheirGroupHoldNothingBetweenCopies() {
        Map<Kind, Long> idle = StandIn.live();
        GpuMemory group = new GpuMemory(false);
        DeviceBuffer buffer = group.allocate(first, LARGE);
        group.close();
        Map<Kind, Long> alone = StandIn.live();
        buffer.copyFrom(MemorySegment.ofArray(new byte[LARGE]));
        buffer.copyTo(MemorySegment.ofArray(new byte[LARGE]));
        assertEquals(alone, StandIn.live());
        buffer.close();
        assertEquals(idle, StandIn.live());
    }
}
