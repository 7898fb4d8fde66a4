package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Copies;

/**
 * Memory of other software, which frees it.
 *
 * @param address where it starts
 */
record ForeignPiece(long address) implements Piece {
    private static final int MEMORY_TYPE = 2;
    private static final int DEVICE_ORDINAL = 9;
    private static final int RANGE_START = 11;
    private static final int RANGE_SIZE = 12;
    private static final int ON_DEVICE = 2;

    /**
     * Memory that must be of the context's GPU.
     *
     * @throws InvalidArgumentException if it is not, as far as the driver knows
     */
    static ForeignPiece of(DeviceContext context, long address, long bytes) {
        return context.within(() -> {
            String range = bytes + " bytes at 0x" + Long.toHexString(address);
            String allowed = "memory of GPU " + context.ordinal() + ", inside one allocation";
            if (bytes < 0 || address == 0 || attribute(MEMORY_TYPE, address) != ON_DEVICE) {
                throw InvalidArgumentException.of("foreign memory", range + ", which is not device memory", allowed);
            }
            // Of the ordinal only 4 bytes are written.
            int ordinal = (int) attribute(DEVICE_ORDINAL, address);
            if (ordinal != context.ordinal()) {
                throw InvalidArgumentException.of("foreign memory", range + ", which is on GPU " + ordinal, allowed);
            }
            long start = attribute(RANGE_START, address);
            long size = attribute(RANGE_SIZE, address);
            if (size > 0 && (address - start) > size - bytes) {
                throw InvalidArgumentException.of(
                        "foreign memory",
                        range + ", which goes beyond its allocation of " + size + " bytes at 0x"
                                + Long.toHexString(start),
                        allowed);
            }
            return new ForeignPiece(address);
        });
    }

    /** Of an address that the driver does not know, 0. */
    private static long attribute(int attribute, long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            int result = Copies.pointerAttribute(value, attribute, address);
            return result == DriverResult.SUCCESS ? value.get(ValueLayout.JAVA_LONG, 0) : 0;
        }
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.empty();
    }

    @Override
    public void free() {
        // its owner does
    }
}
