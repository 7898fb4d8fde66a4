package org.mscclj.backend.host.memory;

import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.PageMapping;
import org.mscclj.posix.PosixSupport;

/** A source of memory for allocations. */
interface MemorySource {
    /** Two cache lines, so that no two buffers share a line, or a pair of lines that is fetched together. */
    long ALIGNMENT = 128;

    /** The size from which memory of a process is mapped, in bytes; smaller memory comes from the C library's heap. */
    long MAPPED = 128 << 10;

    /** Memory of one allocation, used by address. Zeroed, unless it is foreign. */
    interface Piece {
        /** Its address, aligned to {@link #ALIGNMENT} unless it is foreign. */
        long address();

        /** Its size in bytes. */
        long byteSize();

        /** The location by which other processes find it; empty if they cannot. */
        default Optional<SharedFile.Location> location() {
            return Optional.empty();
        }

        /** Frees it. No thread may use it any more. */
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
            try {
                long all = Math.max(lead + bytes, 1);
                return all < MAPPED || PosixSupport.missing().isPresent() ? onHeap(all) : mapped(all);
            } catch (OutOfMemoryError e) {
                throw new BackendException(
                        "no memory for a buffer of " + bytes + " bytes; free buffers, or use smaller ones", e);
            }
        };
    }

    private static Piece onHeap(long bytes) {
        return new HeapPiece(HeapBlock.zeroed(bytes, ALIGNMENT), bytes);
    }

    /** Relies on zero pages of the system. Writing zeros would take time, and memory that may never be needed. */
    private static Piece mapped(long bytes) {
        long address = PageMapping.ofProcess(bytes);
        if (address < 0) {
            throw new OutOfMemoryError("mmap of " + bytes + " bytes: " + Errno.name((int) -address));
        }
        return new MappedPiece(address, bytes);
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
        return new ForeignPiece(address, bytes, release);
    }

    /**
     * Small memory of one process.
     *
     * @param block the memory
     * @param byteSize its size in bytes
     */
    record HeapPiece(HeapBlock block, long byteSize) implements Piece {
        @Override
        public long address() {
            return block.address();
        }

        @Override
        public void free() {
            block.close();
        }
    }

    /**
     * Large memory of one process.
     *
     * @param address the address of its first page
     * @param byteSize its size in bytes
     */
    record MappedPiece(long address, long byteSize) implements Piece {
        @Override
        public void free() {
            PageMapping.munmap(address, byteSize);
        }
    }

    /**
     * Memory in a file.
     *
     * @param file the file
     */
    record SharedPiece(SharedFile file) implements Piece {
        @Override
        public long address() {
            return file.segment().address();
        }

        @Override
        public long byteSize() {
            return file.segment().byteSize();
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
     * @param address its address
     * @param byteSize its size in bytes
     * @param release notifies that software
     */
    record ForeignPiece(long address, long byteSize, Runnable release) implements Piece {
        @Override
        public void free() {
            release.run();
        }
    }
}
