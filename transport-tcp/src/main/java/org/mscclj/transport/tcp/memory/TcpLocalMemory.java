package org.mscclj.transport.tcp.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.UnitCopy;

/**
 * A registered buffer of this rank; registration keeps it from being freed. Each access to the memory holds this
 * object's monitor, so that none happens after {@link #close} has returned.
 */
public final class TcpLocalMemory implements LocalMemory {
    private final WritableMemoryTable table;
    private final long id;
    private final BackendDevice device;
    private final long byteSize;
    private final long address;
    private @Nullable DeviceBuffer buffer;
    private MemorySegment segment;

    TcpLocalMemory(WritableMemoryTable table, long id, BackendDevice device, DeviceBuffer buffer) {
        this.table = table;
        this.id = id;
        this.device = device;
        this.buffer = buffer;
        this.segment = buffer.segment();
        this.byteSize = buffer.byteSize();
        this.address = segment.address();
        device.retain(buffer);
    }

    /** Returns memory of this transport as such. */
    public static TcpLocalMemory of(LocalMemory memory) {
        if (memory instanceof TcpLocalMemory ours) {
            return ours;
        }
        throw TcpRemoteMemory.ofAnotherTransport("source of a write", memory);
    }

    public long id() {
        return id;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /** Whether a range lies within the memory; does not overflow. */
    public boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= byteSize && offset <= byteSize - bytes;
    }

    /** Whether an offset is valid for a counter: aligned, and within the memory. */
    public boolean containsCounter(long offset) {
        return contains(offset, Long.BYTES) && (address + offset) % Long.BYTES == 0;
    }

    /** Copies from the memory; false if it is closed. */
    public synchronized boolean read(long offset, MemorySegment to, long at, long bytes) {
        if (buffer == null) {
            return false;
        }
        MemorySegment.copy(segment, offset, to, at, bytes);
        return true;
    }

    /** Copies into the memory, unless it is closed: bytes that arrive later are discarded. */
    public synchronized void write(long offset, MemorySegment from, long at, long bytes) {
        if (buffer != null) {
            UnitCopy.copy(from, at, segment, offset, bytes);
        }
    }

    /** Increments a counter, unless the memory is closed. */
    public synchronized void raise(long offset) {
        if (buffer != null) {
            device.raiseCounter(buffer, offset);
        }
    }

    @Override
    public byte[] describe() {
        return new TcpRemoteMemory(id, byteSize, (int) (address % Long.BYTES)).encode();
    }

    @Override
    public void close() {
        DeviceBuffer closed;
        synchronized (this) {
            closed = buffer;
            buffer = null;
            segment = MemorySegment.NULL;
        }
        if (closed != null) {
            device.release(closed);
            table.closed(this);
        }
    }
}
