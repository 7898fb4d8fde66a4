package org.mscclj.cli.stress.rank;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;

/**
 * A way in which a kernel faults on purpose. The driver then ends nothing any more in the process that has launched it.
 */
public enum DeviceFault {
    /** Stores a word of 8 bytes at an address that is no multiple of 8. */
    MISALIGNED("CUDA_ERROR_MISALIGNED_ADDRESS", "XID_13"),
    /** Stores a word where there is no memory. */
    ILLEGAL("CUDA_ERROR_ILLEGAL_ADDRESS", "XID_31"),
    /** Ends by an instruction for that. */
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

    private final List<String> symbols;

    DeviceFault(String... symbols) {
        this.symbols = List.of(symbols);
    }

    /** What the CUDA driver calls it, or the kernel driver, if that tells of it first. */
    public List<String> symbols() {
        return symbols;
    }

    /** Whether a message names it. */
    public boolean isNamed(String message) {
        return symbols.stream().anyMatch(message::contains);
    }

    /** The name of the kernel. */
    public String function() {
        return switch (this) {
            case MISALIGNED -> "stores_misaligned";
            case ILLEGAL -> "stores_nowhere";
            case TRAP -> "traps";
        };
    }

    /** The kernel, in CUDA C++. Its parameter is {@link #address}. */
    String source() {
        return (this == TRAP ? TRAPPING : STORING).replace("NAME", function());
    }

    /**
     * What the kernel is given.
     *
     * @param memory 16 bytes or more of the device, which begin at a multiple of 8
     */
    long address(DeviceBuffer memory) {
        return switch (this) {
            case MISALIGNED -> memory.address() + 1;
            case ILLEGAL -> Long.BYTES; // nothing lies in the first page
            case TRAP -> memory.address();
        };
    }
}
