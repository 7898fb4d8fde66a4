package org.mscclj.spi.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitCopyTest {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    @Test
    void everyAlignmentAndLengthIsCopiedExactly() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(128, 16);
            MemorySegment target = arena.allocate(128, 16);
            for (int i = 0; i < 128; i++) {
                source.set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
            }
            for (int from = 0; from < 9; from++) {
                for (int to = 0; to < 9; to++) {
                    for (int bytes = 0; bytes <= 40; bytes++) {
                        target.fill((byte) 0);
                        UnitCopy.copy(source, from, target, to, bytes);
                        byte[] expected = new byte[128];
                        for (int i = 0; i < bytes; i++) {
                            expected[to + i] = (byte) (from + i + 1);
                        }
                        assertArrayEquals(expected, target.toArray(ValueLayout.JAVA_BYTE));
                    }
                }
            }
        }
    }

    /** One thread copies units whose halves are equal; another must never see a unit whose halves differ. */
    @ParameterizedTest
    @CsvSource({
        "8, 4",
        "16, 4",
        "24, 4",
        "40, 4",
        "64, 4",
        "200, 4",
        "1024, 4",
        "4092, 4",
        "65536, 4",
        // aligned in the target alone
        "64, 0",
        "1024, 3",
        "65536, 0"
    })
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void alignedUnitsArriveWhole(long bytes, long from) throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] sources = {arena.allocate(bytes + 8, 64), arena.allocate(bytes + 8, 64)};
            sources[0].fill((byte) 0x11);
            sources[1].fill((byte) 0x77);
            MemorySegment target = arena.allocate(bytes + 8, 64);
            AtomicBoolean done = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; !done.get(); i++) {
                    // starting at 4: a ragged head before the units, and for most lengths a ragged tail
                    UnitCopy.copy(sources[i & 1], from, target, 4, bytes);
                }
            });
            long units = (bytes + 4) / 8 - 1;
            long end = System.nanoTime() + 100_000_000L;
            while (units > 0 && System.nanoTime() < end) {
                for (long unit = 1; unit <= units; unit++) {
                    long value = (long) LONG.getAcquire(target, 8 * unit);
                    assertEquals((int) value, (int) (value >>> 32));
                }
            }
            done.set(true);
            writer.join();
        }
    }
}
