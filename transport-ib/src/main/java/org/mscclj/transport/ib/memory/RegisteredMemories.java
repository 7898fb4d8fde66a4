package org.mscclj.transport.ib.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HostSegment;
import org.mscclj.transport.ib.ffm.MemoryRegion;
import org.mscclj.transport.ib.ffm.ProtectionDomain;

/** The registered memory of one rank, by the numbers that peers use. Thread-safe. */
public final class RegisteredMemories {
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, IbLocalMemory> memories = new ConcurrentHashMap<>();

    /** Creates an empty table. */
    public RegisteredMemories() {}

    /**
     * Registers a buffer, of memory of the host or of a GPU.
     *
     * @param domains the protection domain of each rail
     * @throws org.mscclj.api.error.BackendException if an adapter cannot access the memory
     */
    public IbLocalMemory register(BackendDevice device, DeviceBuffer buffer, List<ProtectionDomain> domains) {
        Optional<MemorySegment> host = HostSegment.of(buffer);
        long address = host.map(MemorySegment::address).orElseGet(buffer::address);
        List<MemoryRegion> regions = new ArrayList<>();
        try {
            if (buffer.byteSize() > 0) {
                for (ProtectionDomain domain : domains) {
                    regions.add(MemoryRegion.register(domain, address, buffer.byteSize()));
                }
            }
            IbLocalMemory memory =
                    new IbLocalMemory(this, ids.incrementAndGet(), device, buffer, address, host.isPresent(), regions);
            memories.put(memory.id(), memory);
            return memory;
        } catch (RuntimeException | Error e) {
            regions.forEach(MemoryRegion::close);
            throw e;
        }
    }

    /** Adds one to a counter that a peer names; does nothing if the memory is closed, or never existed. */
    public void raise(long id, long offset) {
        IbLocalMemory memory = memories.get(id);
        if (memory != null) {
            memory.raise(offset);
        }
    }

    void forget(IbLocalMemory memory) {
        memories.remove(memory.id());
    }

    /** Closes all memory. */
    public void close() {
        List.copyOf(memories.values()).forEach(IbLocalMemory::close);
    }
}
