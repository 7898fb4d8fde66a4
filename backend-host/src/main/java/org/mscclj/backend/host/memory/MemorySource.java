package org.mscclj.backend.host.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.MemoryMapping;
import org.mscclj.posix.NativeMemory;
import org.mscclj.posix.PosixSupport;

/** A source of memory for allocations. */
interface MemorySource {
    /** Two cache lines, so that no two buffers share a line, or a pair of lines that is fetched together. */
    long ALIGNMENT = 128;

    /** The size from which memory of a process is mapped, in bytes; smaller memory comes from the C library's heap. */
    long MAPPED = 128 << 10;

    /** Zeroed memory of one allocation. */
    interface Piece {
        /** The memory, aligned to {@link #ALIGNMENT} unless it is foreign. */
        MemorySegment segment();

        /** The location by which other processes find it; empty if they cannot. */
        Optional<SharedFile.Location> location();

        /** Frees it. */
        void free();
    }

    /**
     * Allocates memory.
     *
     * @param lead bytes that the caller leaves unused in front
     * @param bytes the requested size, which the message of a refusal names
     * @return at least {@code lead + bytes} bytes
     * @throws BackendException if there is not enough memory
     */
    Piece take(long lead, long bytes);

    /** Memory that only this process can access. */
    static MemorySource ofProcess() {
        return (lead, bytes) -> {
            Arena arena = Arena.ofShared();
            try {
                return new PrivatePiece(arena, zeroed(Math.max(lead + bytes, 1), arena));
            } catch (OutOfMemoryError | IllegalArgumentException e) {
                arena.close();
                throw new BackendException(
                        "no memory for a buffer of " + bytes + " bytes; free buffers, or use smaller ones", e);
            }
        };
    }

    /** Relies on zero pages of the system. Writing zeros would take time, and memory that may never be needed. */
    private static MemorySegment zeroed(long bytes, Arena arena) {
        if (bytes < MAPPED || PosixSupport.missing().isPresent()) {
            return arena.allocate(bytes, ALIGNMENT);
        }
        long address = MemoryMapping.ofProcess(bytes);
        if (address < 0) {
            throw new OutOfMemoryError("mmap of " + bytes + " bytes: " + Errno.name((int) -address));
        }
        return MemoryMapping.segment(address, bytes, arena);
    }

    /** Memory that other processes can map. */
    static MemorySource shared(SharedDirectory directory) {
        return (lead, bytes) -> new SharedPiece(SharedFile.create(lead, bytes, directory));
    }

    /**
     * Memory of this process that other software has allocated.
     *
     * @param release notifies that software when the memory has no users any more
     */
    static Piece foreign(long address, long bytes, Runnable release) {
        Arena arena = Arena.ofShared();
        return new ForeignPiece(arena, NativeMemory.range(address, bytes, arena), release);
    }

    /**
     * Memory of one process.
     *
     * @param arena frees the memory
     * @param segment the memory
     */
    record PrivatePiece(Arena arena, MemorySegment segment) implements Piece {
        @Override
        public Optional<SharedFile.Location> location() {
            return Optional.empty();
        }

        @Override
        public void free() {
            arena.close();
        }
    }

    /**
     * Memory in a file.
     *
     * @param file the file
     */
    record SharedPiece(SharedFile file) implements Piece {
        @Override
        public MemorySegment segment() {
            return file.segment();
        }

        @Override
        public Optional<SharedFile.Location> location() {
            return Optional.of(file.location());
        }

        @Override
        public void free() {
            file.close();
        }
    }

    /**
     * Memory of other software.
     *
     * @param arena makes accesses throw once it is closed
     * @param segment the memory
     * @param release notifies that software
     */
    record ForeignPiece(Arena arena, MemorySegment segment, Runnable release) implements Piece {
        @Override
        public Optional<SharedFile.Location> location() {
            return Optional.empty();
        }

        @Override
        public void free() {
            try {
                arena.close();
            } finally {
                release.run();
            }
        }
    }
}
