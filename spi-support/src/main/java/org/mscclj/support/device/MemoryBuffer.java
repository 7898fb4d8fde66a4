package org.mscclj.support.device;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.memory.AllocatedBuffer;

/** A buffer over an allocation, or a part of one. The host accesses its memory directly. */
public final class MemoryBuffer extends AllocatedBuffer {
    private final Allocation allocation;
    private final MemorySegment part;

    private MemoryBuffer(Allocation allocation, MemorySegment part, boolean owner) {
        super(allocation.use(), part.address(), part.byteSize(), owner);
        this.allocation = allocation;
        this.part = part;
    }

    /** A buffer that owns an allocation. */
    static MemoryBuffer owning(Allocation allocation) {
        return new MemoryBuffer(allocation, allocation.segment(), true);
    }

    /**
     * Casts a buffer to a buffer of this kind.
     *
     * @throws InvalidArgumentException if it belongs to another backend
     */
    public static MemoryBuffer of(DeviceBuffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        if (buffer instanceof MemoryBuffer own) {
            return own;
        }
        throw InvalidArgumentException.of(
                "buffer", buffer.getClass().getName(), "a buffer allocated by a device of this backend");
    }

    /** The allocation of which this is a part. */
    public Allocation allocation() {
        return allocation;
    }

    /**
     * The offset of this buffer in its allocation, in bytes.
     *
     * @throws InvalidArgumentException if the buffer is closed
     */
    public long offset() {
        requireOpen();
        return part.address() - allocation.segment().address();
    }

    @Override
    protected DeviceBuffer part(long offset, long bytes) {
        return new MemoryBuffer(allocation, part.asSlice(offset, bytes), false);
    }

    @Override
    public MemorySegment segment() {
        requireOpen();
        return part;
    }
}
