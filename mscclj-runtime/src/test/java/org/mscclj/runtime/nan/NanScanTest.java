package org.mscclj.runtime.nan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * All NaN are found, and nothing else: whatever the type, the payload, the sign, the number of elements, and where they
 * begin.
 */
class NanScanTest {
    private static final String FLOATS = "FLOAT.*|BFLOAT.*";
    private static final int ROUNDS = 150;

    /** More than two blocks, so that elements lie in blocks, words behind them, and in what is left of a word. */
    private static final int MAX_BYTES = 10_000;

    private static boolean isNan(DataType type, long bits) {
        return switch (type) {
            case FLOAT8_E4M3 -> (bits & 0x7F) == 0x7F;
            case FLOAT8_E5M2 -> Float.isNaN(Float.float16ToFloat((short) (bits << 8)));
            case FLOAT16 -> Float.isNaN(Float.float16ToFloat((short) bits));
            case BFLOAT16 -> Float.isNaN(Float.intBitsToFloat((int) (bits << 16)));
            case FLOAT32 -> Float.isNaN(Float.intBitsToFloat((int) bits));
            default -> Double.isNaN(Double.longBitsToDouble(bits));
        };
    }

    /** The bits of infinity; of the type that has none, of its largest number. */
    private static long infinity(DataType type) {
        return switch (type) {
            case FLOAT8_E4M3 -> 0x7E;
            case FLOAT8_E5M2 -> 0x7C;
            case FLOAT16 -> 0x7C00;
            case BFLOAT16 -> 0x7F80;
            case FLOAT32 -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
            default -> Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
        };
    }

    private static void set(MemorySegment memory, DataType type, long index, long bits) {
        long at = index * type.byteSize();
        switch (type.byteSize()) {
            case Byte.BYTES -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case Short.BYTES -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case Integer.BYTES -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }

    private static long sign(DataType type, Random random) {
        return random.nextBoolean() ? 1L << (Byte.SIZE * type.byteSize() - 1) : 0;
    }

    /** Quiet, signalling, with the least and the greatest payload, of both signs. */
    private static long someNan(DataType type, Random random) {
        long payloads = (1L << (Byte.SIZE * type.byteSize() - 1)) - 1 - infinity(type);
        long payload = switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> payloads;
            case 2 -> (payloads + 1) / 2 + payloads % 2; // the highest bit alone, where there are several
            default -> 1 + random.nextLong(payloads);
        };
        return infinity(type) + Math.clamp(payload, 1, payloads) | sign(type, random);
    }

    private static long someNumber(DataType type, Random random) {
        long magnitude = switch (random.nextInt(4)) {
            case 0 -> infinity(type);
            case 1 -> 0;
            case 2 -> infinity(type) - 1;
            default -> random.nextLong(infinity(type) + 1);
        };
        return magnitude | sign(type, random);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = FLOATS)
    void allNanAreFoundAndNothingElse(DataType type) {
        Random random = new Random(type.ordinal());
        for (int round = 0; round < ROUNDS; round++) {
            try (Arena arena = Arena.ofConfined()) {
                int count = random.nextInt(MAX_BYTES / type.byteSize());
                long bytes = (long) count * type.byteSize();
                MemorySegment memory = arena.allocate(bytes + 16, 8).asSlice(random.nextInt(9), bytes);
                for (int i = 0; i < count; i++) {
                    set(memory, type, i, someNumber(type, random));
                }
                TreeSet<Long> right = new TreeSet<>();
                for (int i = count == 0 ? 0 : random.nextInt(4) * random.nextInt(9); i > 0; i--) {
                    right.add((long) random.nextInt(count));
                }
                right.forEach(index -> set(memory, type, index, someNan(type, random)));

                NanScan scan = NanScan.of(type);
                for (long at = 0; at < bytes; ) { // in pieces of any number of elements
                    long piece = Math.min(bytes - at, (1L + random.nextInt(count)) * type.byteSize());
                    scan.scan(memory.asSlice(at, piece));
                    at += piece;
                }
                assertEquals(right.size(), scan.found(), () -> count + " elements, NaN at " + right);
                assertEquals(right.isEmpty() ? -1 : right.first(), scan.first(), () -> count + " elements");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT8_E4M3", "FLOAT8_E5M2", "FLOAT16", "BFLOAT16"})
    void everyElementOfANarrowTypeIsTold(DataType type) {
        MemorySegment memory = MemorySegment.ofArray(new byte[type.byteSize()]);
        for (long bits = 0; bits < 1L << (Byte.SIZE * type.byteSize()); bits++) {
            set(memory, type, 0, bits);
            NanScan scan = NanScan.of(type);
            scan.scan(memory);
            assertEquals(isNan(type, bits) ? 1 : 0, scan.found(), "0x" + Long.toHexString(bits));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = FLOATS)
    void whatIsMadeHereIsWhatItSays(DataType type) {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            assertEquals(true, isNan(type, someNan(type, random)));
            assertEquals(false, isNan(type, someNumber(type, random)));
        }
    }

    @Test
    void integersHaveNone() {
        assertThrows(InvalidArgumentException.class, () -> NanScan.of(DataType.INT32));
    }
}
