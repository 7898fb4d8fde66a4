package org.mscclj.transport.ib.memory;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeFile;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HostSegment;
import org.mscclj.transport.ib.ffm.MemoryRegion;
import org.mscclj.transport.ib.ffm.ProtectionDomain;

/** The registered memory of one rank, by the numbers that peers use. Thread-safe. */
public final class RegisteredMemories {
    private static final Logger LOGGER = System.getLogger(RegisteredMemories.class.getName());

    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, IbLocalMemory> memories = new ConcurrentHashMap<>();

    /** Whether a DMA-BUF was refused, so that no further one is tried. */
    private volatile boolean refusesDmaBufs;

    /** Creates an empty table. */
    public RegisteredMemories() {}

    /**
     * Registers a buffer, of memory of the host or of a GPU. The memory of a GPU is registered as a DMA-BUF if the
     * GPU's driver exports it and the adapters take it, else at its address.
     *
     * @param domains the protection domain of each rail
     * @throws BackendException if an adapter cannot access the memory
     */
    public IbLocalMemory register(BackendDevice device, DeviceBuffer buffer, List<ProtectionDomain> domains) {
        Optional<MemorySegment> host = HostSegment.of(buffer);
        long address = host.map(MemorySegment::address).orElseGet(buffer::address);
        List<MemoryRegion> regions = buffer.byteSize() == 0
                ? List.of()
                : (host.isPresent() || refusesDmaBufs
                                ? Optional.<List<MemoryRegion>>empty()
                                : dmaBuf(device, buffer, address, domains))
                        .orElseGet(() -> registered(
                                domains, domain -> MemoryRegion.register(domain, address, buffer.byteSize())));
        try {
            IbLocalMemory memory =
                    new IbLocalMemory(this, ids.incrementAndGet(), device, buffer, address, host.isPresent(), regions);
            memories.put(memory.id(), memory);
            return memory;
        } catch (RuntimeException | Error e) {
            regions.forEach(MemoryRegion::close);
            throw e;
        }
    }

    /** Registers memory of a GPU as a DMA-BUF; empty if the driver exports none, or an adapter takes none. */
    private Optional<List<MemoryRegion>> dmaBuf(
            BackendDevice device, DeviceBuffer buffer, long address, List<ProtectionDomain> domains) {
        return device.exportDmaBuf(buffer).flatMap(exported -> {
            try {
                return Optional.of(registered(
                        domains, domain -> MemoryRegion.register(domain, exported, address, buffer.byteSize())));
            } catch (BackendException | UnsupportedException e) {
                refusesDmaBufs = true;
                LOGGER.log(Level.DEBUG, "memory of GPUs is not registered as a DMA-BUF, but at its address: {0}", e);
                return Optional.empty();
            } finally {
                int _ = NativeFile.close(exported.descriptor());
            }
        });
    }

    /** Registers memory with each rail, or with none if one fails. */
    private static List<MemoryRegion> registered(
            List<ProtectionDomain> domains, Function<ProtectionDomain, MemoryRegion> register) {
        List<MemoryRegion> regions = new ArrayList<>();
        try {
            for (ProtectionDomain domain : domains) {
                regions.add(register.apply(domain));
            }
            return regions;
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
