package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** The GPUs that this process sees, by their numbers from 0, and their primary contexts. May allocate. */
public interface DeviceCalls {
    /** The size of the segment for {@link #name} and {@link #architecture}, in bytes. */
    int MAX_TEXT_BYTES = 256;

    /** The size of a UUID, in bytes. */
    int UUID_BYTES = 16;

    /** The number of GPUs; the negated result if the driver fails. */
    int count();

    /** Writes the model as a zero-terminated string, into {@link #MAX_TEXT_BYTES} bytes. */
    int name(int ordinal, MemorySegment name);

    /** Writes the {@link #UUID_BYTES} bytes that identify a GPU. */
    int uuid(int ordinal, MemorySegment uuid);

    /**
     * Writes the architecture that kernels are compiled for as a zero-terminated string, into {@link #MAX_TEXT_BYTES}
     * bytes.
     */
    int architecture(int ordinal, MemorySegment name);

    /**
     * Writes the address on the PCI bus as a zero-terminated string, as {@code 0000:3B:00.0}, into
     * {@link #MAX_TEXT_BYTES} bytes.
     */
    int busAddress(int ordinal, MemorySegment address);

    /** Writes the number of multiprocessors, an int. */
    int multiprocessors(int ordinal, MemorySegment number);

    /** Writes the number of threads that execute an instruction together, an int: 32 or 64. */
    int warpSize(int ordinal, MemorySegment threads);

    /** Writes whether network cards can access a GPU's virtual memory: an int, 0 for no. */
    int directRdma(int ordinal, MemorySegment can);

    /** Writes whether a GPU can access the memory of another GPU: an int, 0 for no. */
    int canAccessPeer(int ordinal, int peer, MemorySegment can);

    /** Writes whether atomic operations on a peer's memory are supported: an int, 0 for no. */
    int hasPeerAtomics(int ordinal, int peer, MemorySegment has);

    /**
     * Retains the primary context of a GPU, and writes it. The context is created if there is none. The caller releases
     * it as often as it retains it.
     */
    int retainContext(int ordinal, MemorySegment context);

    /** Releases the primary context of a GPU. */
    int releaseContext(int ordinal);

    /** Writes the memory of the current context's GPU that no process uses, in bytes, as a long. */
    int freeMemory(MemorySegment bytes);
}
