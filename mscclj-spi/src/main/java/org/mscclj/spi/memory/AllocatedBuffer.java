package org.mscclj.spi.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The base of buffers over an allocation, which a buffer shares with its slices. It checks ranges, sizes and closing;
 * subclasses know the memory. Closing a slice does nothing.
 */
public abstract class AllocatedBuffer implements DeviceBuffer {
    private final MemoryUse use;
    private final long address;
    private final long byteSize;
    private final boolean owner;

    /**
     * Creates a buffer over a range of an allocation.
     *
     * @param use the users of the allocation
     * @param owner whether closing the buffer closes the allocation; false for slices
     */
    protected AllocatedBuffer(MemoryUse use, long address, long byteSize, boolean owner) {
        this.use = use;
        this.address = address;
        this.byteSize = byteSize;
        this.owner = owner;
    }

    /** Returns a slice; the range is inside this buffer. */
    protected abstract DeviceBuffer part(long offset, long bytes);

    /** Fills this buffer, which is open and has the size of the source. */
    protected void fill(MemorySegment source) {
        segment().copyFrom(source);
    }

    /** Copies this buffer, which is open and has the size of the destination. */
    protected void read(MemorySegment destination) {
        destination.copyFrom(segment());
    }

    /**
     * Refuses a closed buffer. Its memory may still exist if a peer has mapped it, but belongs to the peer then.
     *
     * @throws InvalidArgumentException if the buffer is closed
     */
    protected final void requireOpen() {
        if (use.isClosed()) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
    }

    @Override
    public final long address() {
        return address;
    }

    @Override
    public final long byteSize() {
        return byteSize;
    }

    @Override
    public final DeviceBuffer slice(long offset, long bytes) {
        if (offset < 0 || bytes < 0 || offset > byteSize - bytes) {
            throw InvalidArgumentException.of(
                    "slice", bytes + " bytes from offset " + offset, "a range inside " + byteSize + " bytes");
        }
        return part(offset, bytes);
    }

    @Override
    public final void copyFrom(MemorySegment source) {
        requireSize("source", source);
        requireOpen();
        fill(source);
    }

    @Override
    public final void copyTo(MemorySegment destination) {
        requireSize("destination", destination);
        requireOpen();
        read(destination);
    }

    private void requireSize(String what, MemorySegment other) {
        if (Objects.requireNonNull(other, what).byteSize() != byteSize) {
            throw InvalidArgumentException.of(what, other.byteSize() + " bytes", byteSize + " bytes, like the buffer");
        }
    }

    @Override
    public final Hold hold() {
        return use.hold();
    }

    @Override
    public final void close() {
        if (owner) {
            use.close();
        }
    }
}
