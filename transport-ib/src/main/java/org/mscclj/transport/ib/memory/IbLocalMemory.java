package org.mscclj.transport.ib.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.transport.ib.ffm.MemoryRegion;

/** A buffer of this rank that is registered with the adapter of each rail; registration keeps it from being freed. */
public final class IbLocalMemory implements LocalMemory {
    private final RegisteredMemories table;
    private final long id;
    private final BackendDevice device;
    private final DeviceBuffer buffer;
    private final long byteSize;
    private final long address;
    private final boolean onHost;
    private final List<MemoryRegion> regions;
    private final int[] localKeys;
    private boolean closed;

    /**
     * Creates the memory of a buffer.
     *
     * @param address the address of its first byte, for the adapter
     * @param onHost whether the host can read it
     * @param regions its registration with the adapter of each rail; none if it is empty
     */
    IbLocalMemory(
            RegisteredMemories table,
            long id,
            BackendDevice device,
            DeviceBuffer buffer,
            long address,
            boolean onHost,
            List<MemoryRegion> regions) {
        this.table = table;
        this.id = id;
        this.device = device;
        this.buffer = buffer;
        this.byteSize = buffer.byteSize();
        this.address = address;
        this.onHost = onHost;
        this.regions = List.copyOf(regions);
        this.localKeys = regions.stream().mapToInt(MemoryRegion::localKey).toArray();
        device.retain(buffer);
    }

    /** Returns memory of this transport as such. */
    public static IbLocalMemory of(@Nullable LocalMemory memory) {
        if (memory instanceof IbLocalMemory ours) {
            return ours;
        }
        throw InvalidArgumentException.of("source of a write", String.valueOf(memory), "memory of transport ib");
    }

    /** Returns the number by which peers name the memory. */
    public long id() {
        return id;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }

    /** Returns whether the host can read it. */
    public boolean isOnHost() {
        return onHost;
    }

    /** Returns the key of the adapter of a rail. The memory must not be empty. */
    public int localKey(int rail) {
        return localKeys[rail];
    }

    /** Adds one to a counter, unless the memory is closed, or the peer names a place that has none. */
    synchronized void raise(long offset) {
        if (!closed && offset >= 0 && offset <= byteSize - Long.BYTES && (address + offset) % Long.BYTES == 0) {
            device.raiseCounter(buffer, offset);
        }
    }

    @Override
    public byte[] describe() {
        return new IbRemoteMemory(
                        id,
                        address,
                        byteSize,
                        onHost,
                        regions.stream().mapToInt(MemoryRegion::remoteKey).toArray())
                .encode();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        table.forget(this);
        regions.forEach(MemoryRegion::close);
        device.release(buffer);
    }
}
