package org.mscclj.runtime.staging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The memory of one end of a connection: two counters that the peer raises, slots for parts that leave, and slots for
 * parts that arrive. All offsets are bytes.
 *
 * <pre>
 *   0  parts that have arrived
 * 128  parts of this end that the peer has taken
 * 256  slots for parts that leave, then slots for parts that arrive; in each slot:
 *        0  id of the target memory
 *        8  offset in the target memory
 *       16  size of the data; -1 is a signal
 *       24  where the data begins in the slot
 *       64  data
 * </pre>
 *
 * Data has the alignment of its source, so that aligned units of 8 bytes stay whole.
 */
final class Slots {
    /** Slots in each direction. */
    static final int COUNT = 16;

    /** Bytes of a slot: 128 KiB of data, such as a slot of messages between GPUs has, and the header. */
    static final long BYTES = (128 << 10) + 128;

    static final long ARRIVED = 0;
    static final long TAKEN = 128;
    static final long TOTAL = 256 + 2 * COUNT * BYTES;

    /** The size of a signal, in place of a size. */
    static final long SIGNAL = -1;

    private static final long FIRST = 256;
    private static final long HEADER = 64;
    private static final long ALIGNMENT = 64;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;

    Slots(MemorySegment memory) {
        this.memory = memory;
    }

    /** Returns the offset of the slot of a part that leaves. */
    static long leaving(long part) {
        return FIRST + part % COUNT * BYTES;
    }

    /** Returns the offset of the slot of a part that arrives. */
    static long arriving(long part) {
        return FIRST + (COUNT + part % COUNT) * BYTES;
    }

    /** Returns where the data of a source begins in its slot. */
    static long start(long sourceAddress) {
        return HEADER + (sourceAddress & ALIGNMENT - 1);
    }

    /** Returns the most bytes of data that begin there. */
    static long room(long start) {
        return BYTES - start;
    }

    /** Writes the header of a slot. */
    void describe(long slot, long id, long offset, long bytes, long start) {
        memory.set(WORD, slot, id);
        memory.set(WORD, slot + 8, offset);
        memory.set(WORD, slot + 16, bytes);
        memory.set(WORD, slot + 24, start);
    }

    long id(long slot) {
        return memory.get(WORD, slot);
    }

    long offset(long slot) {
        return memory.get(WORD, slot + 8);
    }

    long bytes(long slot) {
        return memory.get(WORD, slot + 16);
    }

    long dataStart(long slot) {
        return memory.get(WORD, slot + 24);
    }

    /** Returns a counter; acquires. */
    long counter(long offset) {
        return (long) COUNTER.getAcquire(memory, offset);
    }
}
