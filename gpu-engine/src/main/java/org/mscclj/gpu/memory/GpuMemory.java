package org.mscclj.gpu.memory;

import static org.mscclj.spi.memory.ProcessIdentity.Namespace.NETWORK;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.PeerAccess;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.memory.MemoryView;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * Allocates memory, and maps the memory of peers, for the devices of one open backend. Safe for use by several threads.
 *
 * <p>Ranks on one GPU use the same addresses. For another GPU, and for other processes, the block that contains the
 * memory is mapped at addresses of its own; other processes receive a file descriptor of it. Ordinary memory of other
 * software has no such block: GPUs of this process use it at its address, and other processes open its legacy handle.
 */
public final class GpuMemory implements AutoCloseable {
    private static final String NOT_OURS =
            "it is not described as this backend does; open all ranks of a node on the same backend of the same version";

    private final boolean processes;
    private final PeerMappings peers;
    private final Map<Integer, DeviceMemory> devices = new HashMap<>();

    /**
     * Creates memory for ranks of this process, or of several processes.
     *
     * @param processes whether other processes are to map it
     */
    public GpuMemory(boolean processes) {
        this.processes = processes;
        this.peers = new PeerMappings(processes);
    }

    /** Whether other processes are to map the memory. */
    public boolean hasProcesses() {
        return processes;
    }

    /**
     * Allocates zeroed memory of a GPU.
     *
     * @param bytes its size, 0 or more
     */
    public DeviceBuffer allocate(DeviceContext context, long bytes) {
        requireSize(bytes);
        return GpuBuffer.of(of(context).allocate(bytes), bytes);
    }

    /**
     * Allocates zeroed memory of a GPU, in a block of its own whose size is a multiple of a granularity.
     *
     * @param bytes its size, 0 or more
     */
    public DeviceBuffer allocate(DeviceContext context, long bytes, long granularity) {
        requireSize(bytes);
        return GpuBuffer.of(of(context).allocate(bytes, granularity), bytes);
    }

    /**
     * Allocates zeroed pinned memory of the host, which GPUs access at the same address. Peers cannot map it.
     *
     * @param bytes its size, 0 or more
     */
    public DeviceBuffer allocateHost(DeviceContext context, long bytes) {
        requireSize(bytes);
        return GpuBuffer.of(of(context).allocateHost(bytes), bytes);
    }

    /**
     * Adopts memory that other software has allocated on a GPU, and frees.
     *
     * @param release notifies that software when the memory has no user any more
     * @throws InvalidArgumentException if the memory is not on this GPU
     */
    public DeviceBuffer adopt(DeviceContext context, long address, long bytes, Runnable release) {
        return GpuBuffer.of(of(context).adopt(address, bytes, release), bytes);
    }

    /** Creates a buffer over a peer's memory that is mapped for a GPU. The buffer keeps the mapping. */
    public MappedView view(DeviceContext context, MappedMemory mapped) {
        GpuAllocation allocation = of(context).view(mapped);
        return new MemoryView(GpuBuffer.of(allocation, mapped.byteSize()), allocation.use());
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
     * Creates a handle of a buffer for peers.
     *
     * @throws UnsupportedException with the reason if they cannot map it
     */
    public MemoryHandle export(DeviceBuffer buffer) {
        GpuBuffer own = own(buffer);
        PeerVisible visible = own.allocation().piece().visible(processes);
        return new GpuMemoryDescription(
                        ProcessIdentity.process(),
                        visible.context().uuid(),
                        own.allocation().id(),
                        visible.blockId(),
                        visible.blockBytes(),
                        visible.offset() + own.offset(),
                        own.byteSize(),
                        processes ? visible.sharing() : Optional.empty())
                .encode(visible.context().driver().backend());
    }

    /** Whether {@link #map} can succeed for this GPU. */
    public boolean canMap(DeviceContext context, MemoryHandle handle) {
        return refusal(context, handle).isEmpty();
    }

    /** The reason why a peer's memory cannot be mapped for a GPU, with advice; empty if it can. */
    private Optional<String> refusal(DeviceContext context, MemoryHandle handle) {
        if (!GpuMemoryDescription.isOf(context.driver().backend(), handle)) {
            return Optional.of(NOT_OURS);
        }
        GpuMemoryDescription described = GpuMemoryDescription.decode(handle);
        if (!described.isPlausible()) {
            return Optional.of(NOT_OURS);
        }
        if (!isNear(described)) {
            return Optional.of(
                    "it belongs to another host, user or container, or to another process while a group was opened for"
                            + " one; run the ranks of a node as one user in one container, and open their"
                            + " groups for processes");
        }
        Optional<Integer> peer = PeerAccess.find(context.driver(), described.gpu());
        if (peer.isEmpty()) {
            return Optional.of("it is on GPU " + described.gpu()
                    + ", which this process does not see; let all ranks of a node see all of its GPUs"
                    + " ("
                    + context.driver().terms().devicesVariable() + ")");
        }
        if (!context.reaches(peer.get())) {
            return Optional.of("it is on GPU " + peer.get()
                    + ", and these two do not reach each other with native atomic operations"
                    + " (" + context.driver().terms().topology() + "); use GPUs that are joined by "
                    + context.driver().terms().link() + ", or backend host");
        }
        return Optional.empty();
    }

    private boolean isNear(GpuMemoryDescription described) {
        return described.process() == ProcessIdentity.process()
                || (processes
                        && described
                                .sharing()
                                .filter(sharing -> sharing.reach().equals(ProcessIdentity.reach(NETWORK)))
                                .isPresent());
    }

    /**
     * Maps a peer's memory for a GPU.
     *
     * @throws UnsupportedException with the reason and advice if it cannot be mapped
     */
    public MappedMemory map(DeviceContext context, MemoryHandle handle) {
        Optional<String> refusal = refusal(context, handle);
        if (refusal.isPresent()) {
            throw new UnsupportedException("memory of backend " + handle.backend() + " cannot be mapped for GPU "
                    + context.ordinal() + ": " + refusal.get());
        }
        return peers.map(context, GpuMemoryDescription.decode(handle));
    }

    /**
     * Returns the memory of a buffer as multicast objects bind it.
     *
     * @throws UnsupportedException if it is not memory of a GPU of this process
     */
    public static BindableRange bindable(DeviceBuffer buffer) {
        GpuBuffer own = own(buffer);
        return switch (own.allocation().piece()) {
            case DevicePiece piece
            when piece.block().isVirtual() -> {
                long start = piece.offset() + own.offset();
                yield new BindableRange(
                        Optional.of(piece.block()), start, piece.block().bytes() - start);
            }
            case ForeignPiece _ -> new BindableRange(Optional.empty(), own.address(), own.byteSize());
            case DevicePiece _, PinnedPiece _, PeerPiece _ ->
                throw new UnsupportedException(
                        "memory of the host, of a peer, or without a handle of the driver cannot be bound to a"
                                + " multicast object; use memory of Device.allocate");
        };
    }

    /** Makes closing the buffer throw until {@link #release}. */
    public void retain(DeviceBuffer buffer) {
        own(buffer).allocation().use().retain();
    }

    /** Undoes {@link #retain}. */
    public void release(DeviceBuffer buffer) {
        own(buffer).allocation().use().release();
    }

    /**
     * Adds a user of a buffer. Closing the buffer throws while the user has work in flight; the user is notified before
     * the memory is freed.
     */
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().add(user);
    }

    /** Undoes {@link #addUser}. */
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().remove(user);
    }

    /**
     * The address of a buffer.
     *
     * @throws InvalidArgumentException if it is of another backend
     */
    public long address(DeviceBuffer buffer) {
        return own(buffer).address();
    }

    /** Reads the 64-bit counter at an address of a GPU, with acquire semantics. Works while kernels run. */
    public long readCounter(DeviceContext context, long address) {
        return of(context).counters().readLong(address);
    }

    /** Adds one to a 64-bit counter, with release semantics. The caller is the only writer of the counter. */
    public void raiseCounter(DeviceContext context, long address) {
        of(context).counters().increment(address);
    }

    private static GpuBuffer own(DeviceBuffer buffer) {
        if (buffer instanceof GpuBuffer own) {
            return own;
        }
        throw InvalidArgumentException.of(
                "buffer", buffer.getClass().getName(), "a buffer allocated by a device of a GPU backend");
    }

    /** Frees the resources for the host's access; buffers are freed by their owners. Idempotent. */
    @Override
    public synchronized void close() {
        devices.values().forEach(DeviceMemory::close);
        devices.clear();
    }
}
