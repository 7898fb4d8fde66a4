package org.mscclj.backend.host.memory;

import static org.mscclj.spi.memory.ProcessIdentity.Namespace.PROCESS_NUMBERS;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.schedule.Doorbell;
import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.posix.PosixSupport;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.memory.MemoryMapping;
import org.mscclj.spi.memory.MemoryView;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * Allocates memory, and maps memory of peers, for the devices of one open backend. Safe for use by several threads.
 *
 * <p>Ranks of one process use the same addresses. Ranks of several processes use {@link SharedFile}s, and a backend
 * rings the doorbell of every other backend of which it has memory mapped, because it may change memory for which that
 * backend waits. Doorbells stay mapped until the backend is closed, since a thread may be about to ring.
 */
public final class HostMemory implements AutoCloseable {
    private final long backend = new SecureRandom().nextLong();
    private final MemorySource source;
    private final Optional<SharedFile> doorbell;
    private final HostScheduler scheduler;
    private final PeerFiles files = new PeerFiles();
    private final Map<Long, PeerDoorbell> peerDoorbells = new HashMap<>();

    /** The doorbell of another backend, and the number of mappings of that backend's memory. */
    private static final class PeerDoorbell {
        final SharedFile file;
        final Doorbell bell;
        int mappings;

        PeerDoorbell(SharedFile.Location location) {
            this.file = SharedFile.open(location);
            this.bell = new Doorbell(file.segment().address());
        }
    }

    private HostMemory(MemorySource source, Optional<SharedFile> doorbell, HostScheduler scheduler) {
        this.source = source;
        this.doorbell = doorbell;
        this.scheduler = scheduler;
    }

    /** Memory for ranks of this process only. */
    public static HostMemory ofProcess(int threads) {
        return new HostMemory(MemorySource.ofProcess(), Optional.empty(), new HostScheduler(threads, Optional.empty()));
    }

    /**
     * Memory for ranks of several processes.
     *
     * @throws UnsupportedException if this system has no memory of that kind
     */
    public static HostMemory shared(int threads) {
        PosixSupport.missing().ifPresent(reason -> {
            throw new UnsupportedException(
                    "shared memory between processes " + reason + "; use ranks in one process here");
        });
        SharedDirectory directory = SharedDirectory.choose();
        SharedFile doorbell = SharedFile.create(Doorbell.BYTES, directory);
        return new HostMemory(
                MemorySource.shared(directory),
                Optional.of(doorbell),
                new HostScheduler(
                        threads, Optional.of(new Doorbell(doorbell.segment().address()))));
    }

    /** The scheduler that carries out the work of ranks that use this memory. */
    public HostScheduler scheduler() {
        return scheduler;
    }

    /** Allocates zeroed memory. */
    public DeviceBuffer allocate(long bytes) {
        return HostBuffer.allocate(bytes, source);
    }

    /**
     * Adopts memory of this process that other software has allocated, and frees.
     *
     * @param release notifies that software when the memory has no users any more
     */
    public DeviceBuffer adopt(long address, long bytes, Runnable release) {
        return HostBuffer.adopt(address, bytes, release);
    }

    /** A buffer over a peer's memory, which keeps it mapped. */
    public MappedView view(MappedMemory mapped) {
        DeviceBuffer whole = adopt(mapped.address(), mapped.byteSize(), mapped::close);
        return new MemoryView(whole, own(whole).allocation().use());
    }

    /**
     * Describes a buffer to peers.
     *
     * @throws UnsupportedException if they are in other processes, and the buffer is memory of other software
     */
    public MemoryHandle export(DeviceBuffer buffer) {
        HostAllocation allocation = own(buffer).allocation();
        if (doorbell.isPresent() && allocation.location().isEmpty()) {
            throw new UnsupportedException(
                    "other processes cannot map memory that other software has allocated on the host; use"
                            + " memory of Device.allocate");
        }
        Optional<HostMemoryDescription.Sharing> sharing = doorbell.flatMap(bell -> allocation
                .location()
                .map(location -> new HostMemoryDescription.Sharing(
                        ProcessIdentity.reach(PROCESS_NUMBERS), location, bell.location())));
        return new HostMemoryDescription(
                        ProcessIdentity.process(),
                        backend,
                        allocation.id(),
                        allocation.start() + buffer.address() - allocation.address(),
                        buffer.byteSize(),
                        sharing)
                .encode();
    }

    /** Whether {@link #map} can succeed. */
    public boolean canMap(MemoryHandle handle) {
        return HostMemoryDescription.isOurs(handle) && canMap(HostMemoryDescription.decode(handle));
    }

    private boolean canMap(HostMemoryDescription described) {
        boolean reached = described
                .shared()
                .filter(sharing -> sharing.reach().equals(ProcessIdentity.reach(PROCESS_NUMBERS)))
                .isPresent();
        return described.process() == ProcessIdentity.process() || (doorbell.isPresent() && reached);
    }

    /** Maps a peer's memory. */
    public MappedMemory map(MemoryHandle handle) {
        HostMemoryDescription described =
                HostMemoryDescription.isOurs(handle) ? HostMemoryDescription.decode(handle) : null;
        if (described == null || !canMap(described)) {
            throw new UnsupportedException("memory of backend " + handle.backend()
                    + " cannot be mapped: it belongs to another host, user or container, or its group was"
                    + " opened for one"
                    + " process; use port channels to reach it");
        }
        if (described.backend() == backend || described.shared().isEmpty()) {
            return mapped(described);
        }
        long peer = described.backend();
        ring(peer, described.shared().orElseThrow().doorbell());
        try {
            MappedMemory memory = mapped(described);
            return new MemoryMapping(memory.address(), memory.byteSize(), () -> {
                memory.close();
                ringNoMore(peer);
            });
        } catch (RuntimeException | Error e) {
            ringNoMore(peer);
            throw e;
        }
    }

    private MappedMemory mapped(HostMemoryDescription described) {
        if (described.process() != ProcessIdentity.process()) {
            return files.map(described, described.shared().orElseThrow().memory());
        }
        HostAllocation allocation = HostAllocation.find(described.allocation())
                .orElseThrow(() -> new InvalidArgumentException(
                        "memory that a peer described was freed; it must stay open until it is mapped"));
        allocation.use().map();
        long address = allocation.address() - allocation.start() + described.offset();
        return new MemoryMapping(address, described.bytes(), allocation.use()::unmap);
    }

    /**
     * Rings another backend from now on when memory has changed, until {@link #ringNoMore} was called an equal number
     * of times.
     */
    private synchronized void ring(long peer, SharedFile.Location location) {
        PeerDoorbell doorbellOfPeer = peerDoorbells.computeIfAbsent(peer, _ -> new PeerDoorbell(location));
        if (doorbellOfPeer.mappings++ == 0) {
            scheduler.addPeer(doorbellOfPeer.bell);
        }
    }

    private synchronized void ringNoMore(long peer) {
        PeerDoorbell doorbellOfPeer = peerDoorbells.get(peer);
        if (doorbellOfPeer != null && --doorbellOfPeer.mappings == 0) {
            scheduler.removePeer(doorbellOfPeer.bell);
        }
    }

    /** Makes closing the buffer throw until {@link #release}. */
    public void retain(DeviceBuffer buffer) {
        own(buffer).allocation().use().retain();
    }

    /** Undoes {@link #retain}. */
    public void release(DeviceBuffer buffer) {
        own(buffer).allocation().use().release();
    }

    /** Adds a user that is queried before the buffer's memory is freed, and notified when it is. */
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().add(user);
    }

    /** Undoes {@link #addUser}. */
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().use().remove(user);
    }

    /**
     * The start address of a buffer.
     *
     * @throws InvalidArgumentException if it belongs to another backend
     */
    public long address(DeviceBuffer buffer) {
        return own(buffer).address();
    }

    private static HostBuffer own(DeviceBuffer buffer) {
        if (buffer instanceof HostBuffer host) {
            return host;
        }
        throw InvalidArgumentException.of(
                "buffer", buffer.getClass().getName(), "a buffer allocated by a device of the host backend");
    }

    /** Stops the scheduler, and unmaps the doorbells that it rings. Idempotent. */
    @Override
    public synchronized void close() {
        scheduler.close();
        peerDoorbells.values().forEach(peer -> peer.file.close());
        peerDoorbells.clear();
        doorbell.ifPresent(SharedFile::close);
    }
}
