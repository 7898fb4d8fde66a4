package org.mscclj.conformance.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;

/**
 * An allocation with guard zones on both sides of the used part, and its image in host memory. The image allows one
 * check for all devices, also if the host cannot access their memory.
 */
public final class Region {
    /** Keeps the alignment of the allocation. */
    public static final long GUARD_BYTES = 4096;

    private static final byte GUARD = (byte) 0xc3;

    private final DeviceBuffer whole;
    private final MemorySegment image;
    private final long start;
    private final long bytes;

    /**
     * Creates a region.
     *
     * @param whole the allocation
     * @param start where the used part begins, in bytes
     * @param bytes size of the used part
     */
    public Region(DeviceBuffer whole, Arena arena, long start, long bytes) {
        this.whole = whole;
        this.image = arena.allocate(whole.byteSize());
        this.start = start;
        this.bytes = bytes;
    }

    public DeviceBuffer whole() {
        return whole;
    }

    /** Returns a slice of the used part, on the device. */
    public DeviceBuffer buffer(long offset, long size) {
        return whole.slice(start + offset, size);
    }

    /** Returns a slice of the used part, in the image. */
    public MemorySegment image(long offset, long size) {
        return image.asSlice(start + offset, size);
    }

    /** Fills the guard zones of the image. */
    public void fillGuards() {
        image.asSlice(0, start).fill(GUARD);
        image.asSlice(start + bytes).fill(GUARD);
    }

    public void upload() {
        whole.copyFrom(image);
    }

    public void download() {
        whole.copyTo(image);
    }

    /**
     * Returns where the guard zones of the image have changed, relative to the used part; −2<sup>63</sup> if nowhere.
     */
    public long strayByte() {
        for (long i = 0; i < start; i++) {
            if (image.get(ValueLayout.JAVA_BYTE, i) != GUARD) {
                return i - start;
            }
        }
        for (long i = start + bytes; i < image.byteSize(); i++) {
            if (image.get(ValueLayout.JAVA_BYTE, i) != GUARD) {
                return i - start;
            }
        }
        return Long.MIN_VALUE;
    }
}
