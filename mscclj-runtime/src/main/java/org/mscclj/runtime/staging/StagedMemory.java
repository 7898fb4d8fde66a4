package org.mscclj.runtime.staging;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;

/**
 * A registered buffer of this rank; the registration keeps it from being freed. The object's monitor is held while a
 * copy is started or a counter is raised, so that neither happens after {@link #close}, which waits for the copies.
 */
final class StagedMemory implements LocalMemory {
    private final StagedMemories memories;
    private final BackendDevice device;
    private final long id;
    private final long address;
    private final long byteSize;
    private final HostCopies copies;
    private @Nullable DeviceBuffer buffer;
    private long lastLeaving;
    private long lastArriving;

    StagedMemory(StagedMemories memories, BackendDevice device, HostCopies copies, long id, DeviceBuffer buffer) {
        this.memories = memories;
        this.device = device;
        this.copies = copies;
        this.id = id;
        this.address = buffer.address();
        this.byteSize = buffer.byteSize();
        device.retain(buffer);
        this.buffer = buffer;
    }

    /** Returns memory of this transport as such. */
    static StagedMemory of(LocalMemory memory) {
        if (memory instanceof StagedMemory ours) {
            return ours;
        }
        throw InvalidArgumentException.of(
                "source of a write",
                "memory of another transport, " + memory.getClass().getName(),
                "memory of this transport");
    }

    long id() {
        return id;
    }

    long address() {
        return address;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /** Whether a range lies within the memory; does not overflow. */
    boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= byteSize && offset <= byteSize - bytes;
    }

    /**
     * Starts a copy out of this memory.
     *
     * @param offset where the bytes begin in this memory
     * @return the number of the copy; 0 if the registration has ended
     */
    synchronized long copyTo(DeviceBuffer destination, long offset) {
        if (buffer != null) {
            lastLeaving = copies.leaving().start(buffer.slice(offset, destination.byteSize()), destination);
            return lastLeaving;
        }
        return 0;
    }

    /** Starts a copy into this memory, unless the registration has ended; see {@link #copyTo}. */
    synchronized long copyFrom(DeviceBuffer source, long offset) {
        if (buffer != null) {
            lastArriving = copies.arriving().start(source, buffer.slice(offset, source.byteSize()));
            return lastArriving;
        }
        return 0;
    }

    /** Adds one to a counter, unless the registration has ended. */
    synchronized void raise(long offset) {
        if (buffer != null) {
            device.raiseCounter(buffer, offset);
            device.wake();
        }
    }

    @Override
    public byte[] describe() {
        return ByteBuffer.allocate(StagedTarget.BYTES)
                .putLong(id)
                .putLong(byteSize)
                .array();
    }

    @Override
    public void close() {
        DeviceBuffer closed;
        synchronized (this) {
            closed = buffer;
            buffer = null;
        }
        if (closed != null) {
            memories.remove(this);
            if (lastLeaving > 0) {
                HostCopies.await(copies.leaving(), lastLeaving);
            }
            if (lastArriving > 0) {
                HostCopies.await(copies.arriving(), lastArriving);
            }
            device.release(closed);
        }
    }
}
