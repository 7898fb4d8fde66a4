package org.mscclj.support.device;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/** A buffer over an allocation, or a part of one. The host accesses its memory directly. */
public final class MemoryBuffer implements DeviceBuffer {
    private final Allocation allocation;
    private final MemorySegment part;
    private final boolean owner;

    private MemoryBuffer(Allocation allocation, MemorySegment part, boolean owner) {
        this.allocation = allocation;
        this.part = part;
        this.owner = owner;
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

    /** Refuses a closed buffer. Its memory may still exist if a peer has mapped it, but belongs to the peer then. */
    private void requireOpen() {
        if (allocation.use().isClosed()) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
    }

    @Override
    public long address() {
        return part.address();
    }

    @Override
    public long byteSize() {
        return part.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        if (offset < 0 || bytes < 0 || offset > byteSize() - bytes) {
            throw InvalidArgumentException.of(
                    "slice", bytes + " bytes from offset " + offset, "a range inside " + byteSize() + " bytes");
        }
        return new MemoryBuffer(allocation, part.asSlice(offset, bytes), false);
    }

    @Override
    public MemorySegment segment() {
        requireOpen();
        return part;
    }

    @Override
    public void copyFrom(MemorySegment source) {
        requireSize("source", source);
        segment().copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        requireSize("destination", destination);
        destination.copyFrom(segment());
    }

    private void requireSize(String what, MemorySegment other) {
        if (Objects.requireNonNull(other, what).byteSize() != byteSize()) {
            throw InvalidArgumentException.of(
                    what, other.byteSize() + " bytes", byteSize() + " bytes, like the buffer");
        }
    }

    @Override
    public Hold hold() {
        return allocation.use().hold();
    }

    @Override
    public void close() {
        if (owner) {
            allocation.use().close();
        }
    }
}
