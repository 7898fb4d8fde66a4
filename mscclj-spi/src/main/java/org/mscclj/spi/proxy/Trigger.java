package org.mscclj.spi.proxy;

import java.util.StringJoiner;

/**
 * The 128-bit trigger that a device pushes and a proxy carries out. Layout, from the least significant bit:
 *
 * <pre>
 * word 0   size 32 | source offset 32
 * word 1   destination offset 32 | source memory id 9 | destination memory id 9 | type 3 | semaphore id 10 | lap 1
 * </pre>
 *
 * <p>The type is any combination of {@link #DATA}, {@link #SIGNAL} and {@link #FLUSH}, carried out in this order. The
 * last bit belongs to the ring: it changes with every lap, so that a slot needs no clearing. The format is MSCCL++'s.
 */
public final class Trigger {
    /** Copy {@code size} bytes. */
    public static final int DATA = 1;

    /** Raise the peer's counter. */
    public static final int SIGNAL = 2;

    /** Report when the sources of all earlier triggers of this semaphore have been read. */
    public static final int FLUSH = 4;

    /** Number of memory ids. */
    public static final int MEMORY_IDS = 1 << 9;

    /** Number of semaphore ids. */
    public static final int SEMAPHORE_IDS = 1 << 10;

    /** Bytes that one memory id spans, since offsets have 32 bits. */
    public static final long WINDOW_BYTES = 1L << 32;

    /** Greatest size of one trigger, in bytes: the largest that fits its field and keeps offsets aligned. */
    public static final long MAX_BYTES = (1L << 32) - 4096;

    private static final long LOW_32 = 0xFFFF_FFFFL;
    private static final int SOURCE_ID_SHIFT = 32;
    private static final int DESTINATION_ID_SHIFT = 41;
    private static final int TYPE_SHIFT = 50;
    private static final int SEMAPHORE_SHIFT = 53;

    /** The bit of word 1 that belongs to the ring. */
    static final long LAP_BIT = 1L << 63;

    private Trigger() {}

    /** The first word. Arguments must fit their fields. */
    public static long word0(long bytes, long sourceOffset) {
        return bytes | sourceOffset << 32;
    }

    /** The second word, lap bit 0. Arguments must fit their fields. */
    public static long word1(long destinationOffset, int sourceId, int destinationId, int type, int semaphoreId) {
        return destinationOffset
                | (long) sourceId << SOURCE_ID_SHIFT
                | (long) destinationId << DESTINATION_ID_SHIFT
                | (long) type << TYPE_SHIFT
                | (long) semaphoreId << SEMAPHORE_SHIFT;
    }

    /** Size, in bytes. */
    public static long bytes(long word0) {
        return word0 & LOW_32;
    }

    /** Source offset, in bytes. */
    public static long sourceOffset(long word0) {
        return word0 >>> 32;
    }

    /** Destination offset, in bytes. */
    public static long destinationOffset(long word1) {
        return word1 & LOW_32;
    }

    /** Source memory id. */
    public static int sourceId(long word1) {
        return (int) (word1 >>> SOURCE_ID_SHIFT) & (MEMORY_IDS - 1);
    }

    /** Destination memory id. */
    public static int destinationId(long word1) {
        return (int) (word1 >>> DESTINATION_ID_SHIFT) & (MEMORY_IDS - 1);
    }

    /** Type. */
    public static int type(long word1) {
        return (int) (word1 >>> TYPE_SHIFT) & 7;
    }

    /** Semaphore id. */
    public static int semaphoreId(long word1) {
        return (int) (word1 >>> SEMAPHORE_SHIFT) & (SEMAPHORE_IDS - 1);
    }

    /**
     * The number of bytes of a transfer that the next trigger carries: at most the limit of its size field, and not
     * past a window of the source or of the destination. Pieces of transfers whose ends are multiples of 4,096 keep
     * that alignment.
     *
     * @param sourceOffset start of the transfer in its source memory, in bytes, 64 bits
     * @param destinationOffset start of the transfer in its destination memory, in bytes, 64 bits
     * @param bytes the remaining size of the transfer
     */
    public static long fit(long sourceOffset, long destinationOffset, long bytes) {
        long sourceWindow = WINDOW_BYTES - windowOffset(sourceOffset);
        long destinationWindow = WINDOW_BYTES - windowOffset(destinationOffset);
        return Math.min(Math.min(bytes, MAX_BYTES), Math.min(sourceWindow, destinationWindow));
    }

    /** The number of windows, and so of memory ids, before an offset of 64 bits. */
    public static int windowIndex(long offset) {
        return (int) (offset >>> 32);
    }

    /** An offset of 64 bits within its window. */
    public static long windowOffset(long offset) {
        return offset & LOW_32;
    }

    /** Describes a trigger, for messages. */
    public static String describe(long word0, long word1) {
        StringJoiner operations = new StringJoiner("+");
        int type = type(word1);
        if ((type & DATA) != 0) {
            operations.add("data");
        }
        if ((type & SIGNAL) != 0) {
            operations.add("signal");
        }
        if ((type & FLUSH) != 0) {
            operations.add("flush");
        }
        if (type == 0) {
            operations.add("nothing");
        }
        return operations + " of semaphore " + semaphoreId(word1) + ", " + bytes(word0) + " bytes from memory "
                + sourceId(word1) + " offset " + sourceOffset(word0) + " to memory " + destinationId(word1) + " offset "
                + destinationOffset(word1);
    }
}
