package org.mscclj.cli.stress.rank;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;

/**
 * A way in which a kernel faults on purpose. Afterwards no operation of the driver succeeds in the process that has
 * launched it, or the driver ends that process. Backends name the error; of CUDA the names are known.
 */
public enum DeviceFault {
    /** Stores a word of 8 bytes at an address that is no multiple of 8. */
    MISALIGNED("CUDA_ERROR_MISALIGNED_ADDRESS", "XID_13"),
    /** Stores a word at an unmapped address. */
    ILLEGAL("CUDA_ERROR_ILLEGAL_ADDRESS", "XID_31"),
    /** Executes a trap instruction. */
    TRAP("CUDA_ERROR_LAUNCH_FAILED", "XID_43");

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

    private final List<String> cudaErrors;

    DeviceFault(String... cudaErrors) {
        this.cudaErrors = List.of(cudaErrors);
    }

    /** Returns the names of the error in the CUDA driver, and in the kernel driver, which may report it first. */
    public List<String> cudaErrors() {
        return cudaErrors;
    }

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
