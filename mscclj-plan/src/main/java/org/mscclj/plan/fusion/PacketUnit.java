package org.mscclj.plan.fusion;

/** The sizes of a unit of packets other than lines, which one thread moves. */
public final class PacketUnit {
    /** Bytes of payload of a unit. */
    public static final int PAYLOAD = 8;

    /** Bytes of a unit in memory, flags included, and the alignment of its first byte. */
    public static final int BYTES = 16;

    private PacketUnit() {}
}
