package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Functions of loaded code, and their launches. */
public interface LaunchCalls {
    /** Loads a function's code now, instead of at its first launch. */
    int load(long function);

    /** Whether the driver can report the parameters of a function. */
    boolean knowsParameters();

    /** Writes the offset of a parameter in the arguments, and its size, both in bytes, as longs. */
    int parameter(long function, long index, MemorySegment offset, MemorySegment size);

    /** Launches a kernel with one-dimensional sizes. Allocates nothing. */
    int launch(long function, int blocks, int threads, int dynamicSharedBytes, long stream, MemorySegment parameters);

    /**
     * The size of the description of an early launch in bytes; 0 if GPUs of the architecture or the driver have none.
     *
     * @param architecture as {@link DeviceCalls#architecture} writes it
     */
    long earlyBytes(String architecture);

    /** Writes the description of early launches, which must stay where it is. */
    void describeEarly(MemorySegment description, int blocks, int threads);

    /**
     * Launches a kernel that may begin before earlier kernels of its stream have ended, and waits for them itself.
     * Allocates nothing.
     */
    int launchEarly(long function, MemorySegment description, long stream, MemorySegment parameters);
}
