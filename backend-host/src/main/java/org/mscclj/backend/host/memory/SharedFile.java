package org.mscclj.backend.host.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.PageMapping;

/**
 * Memory that other processes of this user on this host can map: a file without a name, all of whose space is reserved.
 */
final class SharedFile implements AutoCloseable {
    private static final long PAGE = 4096;
    private static final int CLOSED = -1;

    /**
     * The bytes to reserve at once. One reservation takes a few milliseconds, so that it completes between periodic
     * signals.
     */
    private static final long RESERVED_AT_ONCE = 8L << 20;

    private final Arena arena;
    private final MemorySegment segment;
    private final int descriptor;
    private final Location location;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * The location by which another process finds the file.
     *
     * @param process the owner's process number
     * @param descriptor the owner's number of the file
     * @param inode detects whether that number still denotes this file
     * @param bytes size of the file
     */
    record Location(long process, int descriptor, long inode, long bytes) {
        static final int ENCODED_BYTES = 3 * Long.BYTES + Integer.BYTES;

        static Location decode(ByteBuffer from) {
            return new Location(from.getLong(), from.getInt(), from.getLong(), from.getLong());
        }

        void encode(ByteBuffer to) {
            to.putLong(process).putInt(descriptor).putLong(inode).putLong(bytes);
        }

        private Path path() {
            return Path.of("/proc/" + process + "/fd/" + descriptor);
        }
    }

    /** Maps an open file; {@code kept} is the descriptor to close, or {@link #CLOSED}. */
    private SharedFile(int open, int kept, Location location) {
        long address = map(open, location.bytes());
        this.arena = Arena.ofShared();
        this.segment = PageMapping.segment(address, location.bytes(), arena);
        this.descriptor = kept;
        this.location = location;
    }

    /**
     * Creates zeroed shared memory.
     *
     * @param bytes its size; rounded up to whole pages
     * @throws BackendException if there is not enough space: space is reserved here, because a page that cannot be
     *     allocated later would end the process
     */
    static SharedFile create(long bytes, SharedDirectory directory) {
        return create(0, bytes, directory);
    }

    /**
     * A new file, whose memory is zero, in whole pages.
     *
     * @param lead bytes that the caller leaves unused in front
     * @param bytes the requested size, which the message of a refusal names
     */
    static SharedFile create(long lead, long bytes, SharedDirectory directory) {
        long size = Math.max(1, Math.ceilDiv(lead + bytes, PAGE)) * PAGE;
        int descriptor = directory.openUnnamed();
        try {
            // a file that cannot fit must not fill the file system before its last part is refused
            boolean fits = size <= RESERVED_AT_ONCE || size <= directory.freeBytes();
            int reserved = fits ? reserve(descriptor, size) : -Errno.ENOSPC;
            if (reserved < 0) {
                throw directory.failure("no space for " + bytes + " bytes of shared memory", reserved);
            }
            Path own = Path.of("/proc/self/fd/" + descriptor);
            Location location = new Location(ProcessHandle.current().pid(), descriptor, inode(own), size);
            return new SharedFile(descriptor, descriptor, location);
        } catch (RuntimeException | Error e) {
            NativeFile.close(descriptor);
            throw e;
        }
    }

    /** Reserves space, a part at a time: a signal, for example of a profiler, undoes the part that it interrupts. */
    private static int reserve(int descriptor, long bytes) {
        int result = 0;
        for (long offset = 0; offset < bytes && result == 0; ) {
            long part = Math.min(RESERVED_AT_ONCE, bytes - offset);
            result = NativeFile.posixFallocate(descriptor, offset, part);
            if (result == -Errno.EINTR) {
                result = 0;
            } else {
                offset += part;
            }
        }
        return result;
    }

    /**
     * Maps a file that another process, or another part of this one, has created. The file exists as long as a process
     * maps it.
     *
     * @throws BackendException if the owner has closed it, or this process may not access the owner's files
     */
    static SharedFile open(Location location) {
        Path path = location.path();
        int descriptor = NativeFile.open(path.toString(), NativeFile.O_RDWR | NativeFile.O_CLOEXEC, 0);
        if (descriptor < 0) {
            throw new BackendException(
                    "shared memory of process " + location.process() + " cannot be opened as " + path
                            + "; the process has ended or freed it, or runs as another user",
                    -descriptor,
                    Errno.name(-descriptor));
        }
        try {
            Path own = Path.of("/proc/self/fd/" + descriptor);
            if (inode(own) != location.inode() || size(own) < location.bytes()) {
                throw new UnsupportedException("shared memory of process " + location.process()
                        + " was freed before it was mapped, or is smaller than described; it must stay"
                        + " open until then");
            }
            return new SharedFile(descriptor, CLOSED, location);
        } finally {
            NativeFile.close(descriptor);
        }
    }

    private static long map(int descriptor, long bytes) {
        long address = PageMapping.shared(descriptor, bytes);
        if (address < 0) {
            throw new BackendException(
                    bytes + " bytes of shared memory cannot be mapped; free memory or raise the limits of this process",
                    -address,
                    Errno.name((int) -address));
        }
        return address;
    }

    private static long inode(Path path) {
        return attribute(path, "unix:ino");
    }

    /** The size of a file. Pages beyond the end of a file can be mapped, but accessing them ends the process. */
    private static long size(Path path) {
        return attribute(path, "unix:size");
    }

    private static long attribute(Path path, String name) {
        try {
            return ((Number) Files.getAttribute(path, name)).longValue();
        } catch (IOException e) {
            throw new BackendException("of a file of shared memory, " + name + " cannot be read from " + path, e);
        }
    }

    /** The memory; after {@link #close} accesses throw {@link IllegalStateException}. */
    MemorySegment segment() {
        return segment;
    }

    /** The location by which other processes find it. */
    Location location() {
        return location;
    }

    /** Unmaps the file in this process. No thread may access it through this mapping any more. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            arena.close();
            if (descriptor != CLOSED) {
                NativeFile.close(descriptor);
            }
        }
    }
}
