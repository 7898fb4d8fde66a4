package org.mscclj.conformance.rank.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * The data that ranks exchange by channels of kernels: its position in each rank's memory, and the bytes that a rank
 * must find there. The rank's data comes first, then its slots, one for each peer and operation, then packet memory.
 *
 * @param ranks number of ranks that exchange
 * @param seed seed of the data
 */
record DeviceExchange(int ranks, long seed) {
    /** The slots, in the order of the kernel's slots. */
    enum Slot {
        PUT_16(5, 5),
        PUT_8(8, 0),
        PUT_4(4, 0),
        PUT_1(1, 0),
        GET(3, 7),
        WORDS(0, 0),
        READ(0, 0),
        PACKETS_8(0, 0),
        PACKETS_16(0, 0),
        PACKET(0, 8),
        PORT(0, 0),
        PORT_SIGNAL(3, 1),
        PORT_FLUSH(1, 2);

        private final int offset;
        private final int dataOffset;

        Slot(int offset, int dataOffset) {
            this.offset = offset;
            this.dataOffset = dataOffset;
        }
    }

    private static final int PACKET_KINDS = 3;
    private static final long DATA_BYTES = 32 << 10;
    static final long SLOT_BYTES = 32 << 10;
    /** Bytes of a transfer: odd, and no multiple of any number of threads. */
    static final long BYTES = 30_011;
    /** Bytes in packets, which take twice this memory. */
    static final long PAYLOAD = 12_008;

    private static final byte POISON = (byte) 0xA5;

    static long slots() {
        return DATA_BYTES;
    }

    /** Returns where packet memory starts, in bytes. The comparison covers everything before it. */
    long packets() {
        return DATA_BYTES + (long) ranks * Slot.values().length * SLOT_BYTES;
    }

    long byteSize() {
        return packets() + (long) ranks * PACKET_KINDS * SLOT_BYTES;
    }

    private static long slot(int peer, int slot) {
        return DATA_BYTES + ((long) peer * Slot.values().length + slot) * SLOT_BYTES;
    }

    /** Returns a rank's memory before a launch, up to packet memory. */
    MemorySegment before(Arena arena, int rank, int flag) {
        MemorySegment memory = arena.allocate(packets(), 16);
        memory.fill(POISON);
        MemorySegment.copy(data(rank, flag), 0, memory, ValueLayout.JAVA_BYTE, 0, (int) DATA_BYTES);
        return memory;
    }

    /** Returns a rank's memory after a launch, up to packet memory. */
    MemorySegment after(Arena arena, int rank, int flag) {
        MemorySegment memory = before(arena, rank, flag);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer == rank) {
                continue;
            }
            byte[] data = data(peer, flag);
            int number = 0;
            for (Slot slot : Slot.values()) {
                MemorySegment own = memory.asSlice(slot(peer, number++), SLOT_BYTES);
                switch (slot) {
                    case WORDS -> writeWords(own, base(peer, flag));
                    case READ -> writeWords(own, base(rank, flag));
                    case PACKETS_8, PACKETS_16 -> copy(data, slot, own, PAYLOAD);
                    case PACKET -> copy(data, slot, own, Long.BYTES);
                    default -> copy(data, slot, own, BYTES);
                }
            }
        }
        return memory;
    }

    private static void copy(byte[] data, Slot slot, MemorySegment memory, long bytes) {
        MemorySegment.copy(data, slot.dataOffset, memory, ValueLayout.JAVA_BYTE, slot.offset, (int) bytes);
    }

    private byte[] data(int rank, int flag) {
        byte[] data = new byte[(int) DATA_BYTES];
        new SplittableRandom(seed + 1000L * flag + rank).nextBytes(data);
        return data;
    }

    private static long base(int rank, int flag) {
        return flag * 1_000_003L + rank * 101L;
    }

    /** Writes one word of each size, as the kernel does. */
    private static void writeWords(MemorySegment memory, long base) {
        memory.set(ValueLayout.JAVA_BYTE, 1, (byte) (base + 1));
        memory.set(ValueLayout.JAVA_SHORT, 2, (short) (base + 2));
        memory.set(ValueLayout.JAVA_INT, 4, (int) (base + 4));
        memory.set(ValueLayout.JAVA_LONG, 8, base * 0x9e3779b97f4a7c15L);
        for (int i = 0; i < 4; i++) {
            memory.set(ValueLayout.JAVA_INT, 16 + 4L * i, (int) base + i);
        }
    }

    /** Describes which byte of a rank's memory is at an offset. */
    static String place(long offset) {
        if (offset < DATA_BYTES) {
            return "byte " + offset + " of its own data";
        }
        long slot = (offset - DATA_BYTES) / SLOT_BYTES;
        int kinds = Slot.values().length;
        return "byte " + (offset - DATA_BYTES) % SLOT_BYTES + " of what it gets of rank " + slot / kinds + " by "
                + Slot.values()[(int) (slot % kinds)];
    }
}
