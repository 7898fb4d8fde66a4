package org.mscclj.cli.stress.rank;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A way in which a kernel faults on purpose. Afterwards no operation of the driver succeeds in the process that has
 * launched it, or the driver ends that process. How the error is named is the backend's affair.
 */
public enum DeviceFault {
    /** Stores a word of 8 bytes at an address that is no multiple of 8. */
    MISALIGNED,
    /** Stores a word at an unmapped address. */
    ILLEGAL,
    /** Executes a trap instruction. */
    TRAP;

    private static final String STORING = """
            #include <mscclj/memory.cuh>
            extern "C" __global__ void NAME(mscclj::uint64* address) {
                mscclj::storeRelaxedSystem(address, 1);
            }
            """;

    private static final String TRAPPING = """
            #include <mscclj/memory.cuh>
            extern "C" __global__ void NAME(mscclj::uint64* address) {
                if (address) {
                    mscclj::trap();
                }
            }
            """;

    /** Returns the name of the kernel. */
    public String function() {
        return switch (this) {
            case MISALIGNED -> "stores_misaligned";
            case ILLEGAL -> "stores_nowhere";
            case TRAP -> "traps";
        };
    }

    /** Returns the source of the kernel in CUDA C++. Its parameter is {@link #address}. */
    String source() {
        return (this == TRAP ? TRAPPING : STORING).replace("NAME", function());
    }

    /**
     * Returns the address to pass to the kernel.
     *
     * @param memory address of at least 16 bytes of device memory, a multiple of 8
     */
    long address(DeviceBuffer memory) {
        return switch (this) {
            case MISALIGNED -> memory.address() + 1;
            case ILLEGAL -> Long.BYTES; // the first page is never mapped
            case TRAP -> memory.address();
        };
    }
}
