package org.mscclj.backend.cuda.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.context.PeerAccess;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.memory.MemoryMapping;

/**
 * Allocates memory, and maps that of peers, for the devices of one open backend. Safe for use by several threads.
 *
 * <p>Ranks on the same GPU use the same addresses. For another GPU, and for other processes, the block that the memory lies in is mapped at addresses of its own; other
 * processes get a file descriptor of it.
 */
public final class CudaMemory implements AutoCloseable {
    private final boolean processes;
    private final PeerBlocks peers = new PeerBlocks();
    private final Map<Integer, DeviceMemory> devices = new HashMap<>();

    /**
     * Memory for ranks of this process, or of several.
     *
     * @param processes whether other processes are to map it
     */
    public CudaMemory(boolean processes) {
        this.processes = processes;
    }

    /**
     * Allocates zeroed memory of a GPU.
     *
     * @param bytes its size, 0 or more
     */
    public DeviceBuffer allocate(DeviceContext context, long bytes) {
        requireSize(bytes);
        return CudaBuffer.of(of(context).allocate(bytes), bytes);
    }

    /**
     * Allocates zeroed pinned memory of the host, which GPUs access at the same address. Peers cannot map it.
     *
     * @param bytes its size, 0 or more
     */
    public DeviceBuffer allocateShared(DeviceContext context, long bytes) {
        requireSize(bytes);
        return CudaBuffer.of(of(context).allocateShared(bytes), bytes);
    }

    /**
     * Memory that other software has allocated on a GPU, and frees.
     *
     * @throws InvalidArgumentException if it is not on this GPU
     */
    public DeviceBuffer adopt(DeviceContext context, long address, long bytes) {
        return CudaBuffer.of(of(context).adopt(address, bytes), bytes);
    }

    private static void requireSize(long bytes) {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size", bytes + " bytes", "0 or more");
        }
    }

    private synchronized DeviceMemory of(DeviceContext context) {
        return devices.computeIfAbsent(context.ordinal(), _ -> new DeviceMemory(context, processes));
    }

    /**
     * Describes a buffer to peers.
     *
     * @throws UnsupportedException if it is not memory that this backend has allocated on a GPU
     */
    public MemoryHandle export(DeviceBuffer buffer) {
        CudaBuffer own = own(buffer);
        if (!(own.allocation().piece() instanceof DevicePiece piece)) {
            throw new UnsupportedException(
                    "peers can map memory that Device.allocate gives, and not pinned memory of the"
                            + " host or memory of other software");
        }
        DeviceBlock block = piece.block();
        Optional<MemoryDescription.Sharing> sharing = processes
                ? Optional.of(new MemoryDescription.Sharing(ProcessIdentity.reach(), DescriptorServer.token()))
                : Optional.empty();
        return new MemoryDescription(
                        ProcessIdentity.process(),
                        block.context().uuid(),
                        own.allocation().id(),
                        block.id(),
                        block.bytes(),
                        piece.offset() + own.offset(),
                        own.byteSize(),
                        sharing)
                .encode();
    }

    /** Whether {@link #map} can succeed for this GPU. */
    public boolean canMap(DeviceContext context, MemoryHandle handle) {
        return MemoryDescription.isOurs(handle) && canMap(context, MemoryDescription.decode(handle));
    }

    private boolean canMap(DeviceContext context, MemoryDescription described) {
        boolean near = described.process() == ProcessIdentity.process()
                || (processes
                        && described
                                .sharing()
                                .filter(sharing -> sharing.reach().equals(ProcessIdentity.reach()))
                                .isPresent());
        return near
                && described.isPlausible()
                && PeerAccess.find(described.gpu()).filter(context::reaches).isPresent();
    }

    /** Maps a peer's memory for a GPU. */
    public MappedMemory map(DeviceContext context, MemoryHandle handle) {
        if (!canMap(context, handle)) {
            throw new UnsupportedException(
                    "memory of backend " + handle.backend() + " cannot be mapped for GPU "
                            + context.ordinal()
                            + ": it belongs to another host, user or container, to a GPU that this process does not see or this GPU"
                            + " does not reach with atomic operations, or its group was opened for one process; use port channels to reach it");
        }
        MemoryDescription described = MemoryDescription.decode(handle);
        if (described.process() == ProcessIdentity.process()) {
            return mapOwn(context, described);
        }
        return mapOther(context, described);
    }

    private MappedMemory mapOwn(DeviceContext context, MemoryDescription described) {
        CudaAllocation allocation = CudaAllocation.find(described.allocation())
                .orElseThrow(() -> new InvalidArgumentException(
                        "memory that a peer described was freed; it must stay open until it is mapped"));
        allocation.use().map();
        try {
            return map(context, described, allocation);
        } catch (RuntimeException | Error e) {
            allocation.use().unmap();
            throw e;
        }
    }

    private MappedMemory map(DeviceContext context, MemoryDescription described, CudaAllocation allocation) {
        if (!(allocation.piece() instanceof DevicePiece piece)) {
            throw InvalidArgumentException.of("handle", "one of memory that is not a GPU's", "what export gave");
        }
        DeviceBlock block = piece.block();
        if (block.context().ordinal() == context.ordinal()) {
            return new MemoryMapping(block.address() + described.offset(), described.bytes(), allocation.use()::unmap);
        }
        PeerBlocks.Key key = new PeerBlocks.Key(described.process(), block.id(), context.ordinal());
        long address = peers.map(context, key, () -> MappedRange.of(context, block.memory()));
        return new MemoryMapping(address + described.offset(), described.bytes(), () -> {
            peers.unmap(key);
            allocation.use().unmap();
        });
    }

    private MappedMemory mapOther(DeviceContext context, MemoryDescription described) {
        PeerBlocks.Key key = new PeerBlocks.Key(described.process(), described.block(), context.ordinal());
        long address = peers.map(context, key, () -> {
            PhysicalMemory block = DescriptorClient.fetch(described);
            try {
                return MappedRange.of(context, block);
            } finally {
                block.release(); // the mapping keeps the memory
            }
        });
        return new MemoryMapping(address + described.offset(), described.bytes(), () -> peers.unmap(key));
    }

    /** Makes closing the buffer throw until {@link #release}. */
    public void retain(DeviceBuffer buffer) {
        own(buffer).allocation().use().retain();
    }

    /** Undoes {@link #retain}. */
    public void release(DeviceBuffer buffer) {
        own(buffer).allocation().use().release();
    }

    /** Asks somebody before the buffer's memory is freed, and tells it. */
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().add(user);
    }

    /** Undoes {@link #addUser}. */
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().remove(user);
    }

    /**
     * Where a buffer starts.
     *
     * @throws InvalidArgumentException if it is of another backend
     */
    public long address(DeviceBuffer buffer) {
        return own(buffer).address();
    }

    /** The 64-bit counter at an address that a GPU sees; acquires. Works while kernels run. */
    public long readCounter(DeviceContext context, long address) {
        return of(context).counters().readLong(address);
    }

    /** Adds one to such a counter, which nobody else changes; releases. */
    public void raiseCounter(DeviceContext context, long address) {
        of(context).counters().increment(address);
    }

    private static CudaBuffer own(DeviceBuffer buffer) {
        if (buffer instanceof CudaBuffer cuda) {
            return cuda;
        }
        throw InvalidArgumentException.of(
                "buffer", buffer.getClass().getName(), "a buffer allocated by a device of the CUDA backend");
    }

    /** Frees what the host needs to read and write memory; buffers have owners of their own. Idempotent. */
    @Override
    public synchronized void close() {
        devices.values().forEach(DeviceMemory::close);
        devices.clear();
    }
}
