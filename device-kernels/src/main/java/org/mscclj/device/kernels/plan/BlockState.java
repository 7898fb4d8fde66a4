package org.mscclj.device.kernels.plan;

/** Offsets in the structure of this name of the device library, in bytes. */
public final class BlockState {
    /** Its size. */
    public static final int BYTES = 32;

    /** The packet flag of the next launch; 4 bytes. */
    static final int FLAG = 0;

    /** Not 0 if the block refuses all launches from now on; 4 bytes. */
    public static final int LEFT = 4;

    /** How many launches have ended. */
    public static final int ENDED = 8;

    /** How many launches have begun. */
    public static final int BEGUN = 16;

    /** Where the block's events go if it is traced. */
    static final int TRACE = 24;

    private BlockState() {}
}
