package org.mscclj.device.kernels.plan;

/** Offsets in the structure {@code BlockState} of the device library, in bytes. */
public final class BlockState {
    /** Size of the structure in bytes. */
    public static final int BYTES = 32;

    /** The packet flag of the next launch; 4 bytes. */
    static final int FLAG = 0;

    /** Not 0 if the block refuses all further launches; 4 bytes. */
    public static final int LEFT = 4;

    /** Number of launches that have ended. */
    public static final int ENDED = 8;

    /** Number of launches that have begun. */
    public static final int BEGUN = 16;

    /** Address of the block's trace ring; 0 without tracing. */
    static final int TRACE = 24;

    private BlockState() {}
}
