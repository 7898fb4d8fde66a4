package org.mscclj.plan;

/** The content of a plan's scratch buffer. */
public enum Protocol {
    /** Plain data. */
    SIMPLE("Simple"),
    /** Packets, i.e. data with flags, which double the size of scratch. */
    LL("LL"),
    /**
     * Packets like those of {@link #LL}, which engines may also send as lines of 128 bytes with 120 bytes of payload,
     * where a device stores and loads a line as a whole. Scratch has an area for each form, so that old packets of one
     * form are never taken for packets of the other one. That quadruples its size. MSCCL++ has no such plans.
     */
    LL128("LL128");

    private final String label;

    Protocol(String label) {
        this.label = label;
    }

    /** Whether scratch holds packets. */
    public boolean packets() {
        return this != SIMPLE;
    }

    /** The bytes of scratch for each byte of payload. */
    public int scratchFactor() {
        return switch (this) {
            case SIMPLE -> 1;
            case LL -> 2;
            case LL128 -> 4;
        };
    }

    /** The name used in plan files. */
    public String label() {
        return label;
    }
}
