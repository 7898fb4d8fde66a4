package org.mscclj.conformance.rank.memory;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of host memory. */
public final class MemoryChecks {
    private MemoryChecks() {}

    /** Checks memory of the host, and copies from it and to it. */
    public static RankCheck hostAllocations() {
        return new HostAllocationCheck();
    }

    /** Checks copies from and to memory of the host in graphs. */
    public static RankCheck capturedHostCopies() {
        return new CapturedHostCopyCheck();
    }

    /** Checks accesses of the host to device memory. */
    public static RankCheck hostMemory() {
        return new HostMemoryCheck();
    }

    /** Checks collectives on memory of the host. */
    public static RankCheck hostBuffers() {
        return new HostBuffersCheck();
    }
}
