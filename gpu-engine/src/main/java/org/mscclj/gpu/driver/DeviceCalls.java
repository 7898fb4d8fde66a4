package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** The GPUs that this process sees, by their numbers from 0, and their primary contexts. May allocate. */
public interface DeviceCalls {
    /** Enough for {@link #name} and {@link #architecture}, in bytes. */
    int MAX_TEXT_BYTES = 256;

    /** Size of an identity, in bytes. */
    int UUID_BYTES = 16;

    /** How many there are; the negative result if the driver cannot say it. */
    int count();

    /** Writes the model, which ends with a zero, into {@link #MAX_TEXT_BYTES} bytes. */
    int name(int ordinal, MemorySegment name);

    /** Writes {@link #UUID_BYTES} bytes that tell a GPU from all others. */
    int uuid(int ordinal, MemorySegment uuid);

    /** Writes what kernels are compiled for, which ends with a zero, into {@link #MAX_TEXT_BYTES} bytes. */
    int architecture(int ordinal, MemorySegment name);

    /** Writes the number of multiprocessors, an int. */
    int multiprocessors(int ordinal, MemorySegment number);

    /** Writes whether network cards can reach a GPU's virtual memory: an int, 0 for no. */
    int directRdma(int ordinal, MemorySegment can);

    /** Writes whether a GPU can access the memory of another: an int, 0 for no. */
    int canAccessPeer(int ordinal, int peer, MemorySegment can);

    /** Writes whether atomic operations on a peer's memory work, too: an int, 0 for no. */
    int hasPeerAtomics(int ordinal, int peer, MemorySegment has);

    /** Makes the primary context of a GPU if need be, and writes it. To be released as often as retained. */
    int retainContext(int ordinal, MemorySegment context);

    /** Gives the primary context of a GPU up. */
    int releaseContext(int ordinal);

    /** Writes how much memory of the current context's GPU no process uses, in bytes, as a long. */
    int freeMemory(MemorySegment bytes);
}
