package org.mscclj.plan.fusion;

/**
 * The sizes of lines of packets. A warp stores and loads a group of lines by one instruction, 16 bytes from each
 * thread; {@code mscclj/fusedlines.cuh} of the device library has the same sizes.
 */
public final class Lines {
    /** Bytes of a line in memory, and the alignment of its first byte. */
    public static final int BYTES = 128;

    /** Bytes of payload of a line. The flag has the others. */
    public static final int PAYLOAD = 120;

    /** Bytes of payload of a group of four lines. */
    public static final int GROUP_PAYLOAD = 4 * PAYLOAD;

    /** Threads that move a group. */
    public static final int GROUP_THREADS = 32;

    private Lines() {}
}
