package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {
    @Test
    void readsAndWritesEveryWidthAtAnyAddress() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(64, 8).address();
            for (int offset = 0; offset < 8; offset++) {
                long at = address + offset;
                NativeMemory.setLong(at, 0x8899aabbccddeeffL);
                assertEquals(0x8899aabbccddeeffL, NativeMemory.getLong(at));
                NativeMemory.setInt(at, 0xfedcba98);
                assertEquals(0xfedcba98, NativeMemory.getInt(at));
                NativeMemory.setShort(at, (short) 0xfedc);
                assertEquals((short) 0xfedc, NativeMemory.getShort(at));
                NativeMemory.setByte(at, (byte) 0x80);
                assertEquals((byte) 0x80, NativeMemory.getByte(at));
                NativeMemory.setFloat(at, -1.5f);
                assertEquals(-1.5f, NativeMemory.getFloat(at));
                NativeMemory.setDouble(at, Math.PI);
                assertEquals(Math.PI, NativeMemory.getDouble(at));
            }
        }
    }

    @Test
    void countsAndExchanges() {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(16, 8).address();
            NativeMemory.setIntRelease(at, 7);
            assertEquals(7, NativeMemory.getIntAcquire(at));
            assertEquals(7, NativeMemory.getAndAddInt(at, -10));
            assertFalse(NativeMemory.compareAndSetInt(at, 7, 1));
            assertTrue(NativeMemory.compareAndSetInt(at, -3, 1));
            assertEquals(1, NativeMemory.getInt(at));

            NativeMemory.setLongRelease(at + 8, 1L << 40);
            assertEquals(1L << 40, NativeMemory.getLongAcquire(at + 8));
            assertEquals(1L << 40, NativeMemory.getAndAddLong(at + 8, 2));
            assertFalse(NativeMemory.compareAndSetLong(at + 8, 0, 1));
            assertTrue(NativeMemory.compareAndSetLong(at + 8, (1L << 40) + 2, 1));
            assertEquals(1, NativeMemory.getLong(at + 8));
        }
    }

    @Test
    void ordersOnlyAlignedAccesses() {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(16, 8).address();
            assertThrows(IllegalArgumentException.class, () -> NativeMemory.getLongAcquire(at + 4));
            assertThrows(IllegalArgumentException.class, () -> NativeMemory.setIntRelease(at + 2, 0));
        }
    }

    @Test
    void copiesAndFills() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[] {1, 2, 3, 4, 5, 6});
            NativeMemory.copy(segment.address(), segment.address() + 1, 4);
            assertArrayEquals(new byte[] {1, 1, 2, 3, 4, 6}, segment.toArray(ValueLayout.JAVA_BYTE));
            NativeMemory.fill(segment.address() + 4, 2, (byte) 9);
            NativeMemory.fill(segment.address(), 0, (byte) 9);
            assertArrayEquals(new byte[] {1, 1, 2, 3, 9, 9}, segment.toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
