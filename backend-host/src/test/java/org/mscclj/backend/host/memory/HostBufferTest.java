package org.mscclj.backend.host.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.posix.NativeMemory;

class HostBufferTest {
    /** Small memory comes from the heap, large memory is mapped. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 24, MemorySource.MAPPED - 1, MemorySource.MAPPED, 1 << 20})
    void memoryIsZeroAndAlignedAndSeenByItsSegment(long bytes) {
        try (HostBuffer buffer = HostBuffer.allocate(bytes, MemorySource.ofProcess())) {
            assertEquals(0, buffer.address() % MemorySource.ALIGNMENT);
            assertEquals(bytes, buffer.segment().byteSize());
            assertEquals(buffer.address(), buffer.segment().address());
            assertEquals(-1, buffer.segment().mismatch(MemorySegment.ofArray(new byte[(int) bytes])));
            if (bytes > 0) {
                NativeMemory.setByte(buffer.address() + bytes - 1, (byte) 7);
                assertEquals(7, buffer.segment().get(ValueLayout.JAVA_BYTE, bytes - 1));
            }
        }
    }

    @Test
    void aSliceIsAPartOfTheSegment() {
        try (HostBuffer buffer = HostBuffer.allocate(64, MemorySource.ofProcess())) {
            MemorySegment slice = buffer.slice(16, 8).segment();
            assertEquals(buffer.address() + 16, slice.address());
            assertEquals(8, slice.byteSize());
            buffer.segment().set(ValueLayout.JAVA_LONG, 16, 42);
            assertEquals(42, slice.get(ValueLayout.JAVA_LONG, 0));
            assertSame(buffer.segment(), buffer.slice(0, 64).segment());
        }
    }

    @Test
    void noSegmentReachesMemoryThatIsFreed() {
        HostBuffer used = HostBuffer.allocate(64, MemorySource.ofProcess());
        MemorySegment segment = used.segment();
        MemorySegment slice = used.slice(8, 8).segment();
        used.close();
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> slice.get(ValueLayout.JAVA_BYTE, 0));
    }

    /** The view of a buffer is made when it is first needed, which may be after the end of the memory. */
    @Test
    void norDoesASegmentThatIsFirstAskedForLater() {
        HostBuffer unused = HostBuffer.allocate(64, MemorySource.ofProcess());
        unused.close();
        MemorySegment segment = unused.segment();
        assertEquals(64, segment.byteSize());
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void memoryOfOtherSoftwareIsReleasedOnce() {
        int[] released = new int[1];
        try (HostBuffer owner = HostBuffer.allocate(64, MemorySource.ofProcess())) {
            HostBuffer adopted = HostBuffer.adopt(owner.address(), 64, () -> released[0]++);
            MemorySegment segment = adopted.segment();
            adopted.close();
            adopted.close();
            assertEquals(1, released[0]);
            assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        }
    }
}
