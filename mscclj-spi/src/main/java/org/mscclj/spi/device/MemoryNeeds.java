package org.mscclj.spi.device;

/**
 * Properties that memory must have in addition to its size, for example so that it can be bound to a multicast group.
 *
 * @param granularity start and end of the memory are multiples of it, in bytes: a power of two; 1 for no need
 * @param handleType the type of handle by which the memory can be exported, in words of the vendor; empty for the type
 *     that the backend uses otherwise
 */
public record MemoryNeeds(long granularity, String handleType) {
    /** Memory without further properties. */
    public static final MemoryNeeds NONE = new MemoryNeeds(1, "");

    /** Checks the granularity. */
    public MemoryNeeds {
        if (Long.bitCount(granularity) != 1 || granularity < 0) {
            throw new IllegalArgumentException("a granularity of " + granularity + " bytes; give a power of two");
        }
    }

    /** Returns a size, rounded up to the granularity. */
    public long roundUp(long bytes) {
        return Math.addExact(bytes, granularity - 1) & -granularity;
    }
}
