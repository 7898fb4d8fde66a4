package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapBlockTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 8, 64, 128, 4096})
    void aBlockIsAlignedAndZero(long alignment) {
        for (long bytes = 0; bytes < 300; bytes += 37) {
            try (HeapBlock block = HeapBlock.zeroed(bytes, alignment)) {
                assertEquals(0, block.address() % alignment);
                for (long at = 0; at < bytes; at++) {
                    assertEquals(0, NativeMemory.getByte(block.address() + at));
                }
                NativeMemory.fill(block.address(), bytes, (byte) -1); // so that a block that is used again is not zero
            }
        }
    }

    @Test
    void aSecondCloseFreesNothing() {
        HeapBlock block = HeapBlock.zeroed(1, 1);
        block.close();
        block.close();
    }

    @Test
    void aBlockThatDoesNotExistIsRefused() {
        assertThrows(OutOfMemoryError.class, () -> HeapBlock.zeroed(1L << 60, 128));
        assertThrows(OutOfMemoryError.class, () -> HeapBlock.zeroed(Long.MAX_VALUE, 128));
        assertThrows(IllegalArgumentException.class, () -> HeapBlock.zeroed(-1, 128));
        assertThrows(IllegalArgumentException.class, () -> HeapBlock.zeroed(1, 96));
    }
}
