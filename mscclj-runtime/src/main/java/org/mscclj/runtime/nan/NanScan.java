package org.mscclj.runtime.nan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * Finds NaN in elements that are passed piece by piece, as fast as memory is read: eight bytes at a time, whatever the
 * type. In each element the scan clears the sign and adds a number that carries into the sign's place exactly from
 * magnitudes greater than that of infinity, which are the magnitudes of NaN. Used by one thread.
 */
public final class NanScan {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final boolean LOW_BITS_FIRST = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /**
     * Number of words that are checked together. Only if there is a NaN among them are they checked again one by one.
     */
    private static final int WORDS_OF_BLOCK = 512;

    private static final long BLOCK_BYTES = (long) WORDS_OF_BLOCK * Long.BYTES;

    private final int bits;
    private final long signs;
    private final long carry;
    private long elements;
    private long found;
    private long first = -1;

    private NanScan(int bits, long greatestNumber) {
        long sign = 1L << (bits - 1);
        this.bits = bits;
        this.signs = inEachElement(sign, bits);
        this.carry = inEachElement(sign - 1 - greatestNumber, bits);
    }

    /**
     * Creates a scan of elements of a type.
     *
     * @throws InvalidArgumentException if it is not a floating-point type
     */
    public static NanScan of(DataType type) {
        long greatestNumber = switch (type) {
            case FLOAT8_E4M3 -> 0x7E; // 448: there is no infinity
            case FLOAT8_E5M2 -> 0x7C;
            case FLOAT16 -> 0x7C00;
            case BFLOAT16 -> 0x7F80;
            case FLOAT32 -> 0x7F80_0000L;
            case FLOAT64 -> 0x7FF0_0000_0000_0000L;
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 ->
                throw InvalidArgumentException.of("type", type, "a floating-point type, since no other has NaN");
        };
        return new NanScan(Byte.SIZE * type.byteSize(), greatestNumber);
    }

    private static long inEachElement(long value, int bits) {
        long all = value;
        for (int shift = bits; shift < Long.SIZE; shift *= 2) {
            all |= all << shift;
        }
        return all;
    }

    /** Scans the next piece: whole elements, at any address. */
    public void scan(MemorySegment piece) {
        long bytes = piece.byteSize();
        long at = 0;
        while (bytes - at >= BLOCK_BYTES) {
            if (hasNan(piece, at)) {
                count(piece, at, WORDS_OF_BLOCK);
            }
            at += BLOCK_BYTES;
        }
        int words = (int) ((bytes - at) / Long.BYTES);
        count(piece, at, words);
        at += (long) words * Long.BYTES;
        if (at < bytes) {
            MemorySegment end = MemorySegment.ofArray(new byte[Long.BYTES]); // the rest of it is zeros
            MemorySegment.copy(piece, at, end, 0, bytes - at);
            count(end.get(WORD, 0), elementsIn(at));
        }
        elements += elementsIn(bytes);
    }

    /** Returns whether a block has a NaN. The compiler vectorizes this loop. */
    private boolean hasNan(MemorySegment piece, long at) {
        long magnitudes = ~signs;
        long add = carry;
        long carried = 0;
        for (int i = 0; i < WORDS_OF_BLOCK; i++) {
            carried |= (piece.get(WORD, at + (long) i * Long.BYTES) & magnitudes) + add;
        }
        return (carried & signs) != 0;
    }

    private void count(MemorySegment piece, long at, int words) {
        for (int i = 0; i < words; i++) {
            long byteOffset = at + (long) i * Long.BYTES;
            count(piece.get(WORD, byteOffset), elementsIn(byteOffset));
        }
    }

    /** Counts the NaN of a word. The index of the word's first element in the piece is given. */
    private void count(long word, long index) {
        long carried = ((word & ~signs) + carry) & signs;
        if (carried != 0) {
            if (found == 0) {
                int bit = LOW_BITS_FIRST ? Long.numberOfTrailingZeros(carried) : Long.numberOfLeadingZeros(carried);
                first = elements + index + bit / bits;
            }
            found += Long.bitCount(carried);
        }
    }

    private long elementsIn(long bytes) {
        return bytes * Byte.SIZE / bits;
    }

    /** Returns the number of NaN in the scanned elements. */
    public long found() {
        return found;
    }

    /** Returns the index of the first NaN among all scanned elements; −1 if there is none. */
    public long first() {
        return first;
    }
}
