package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Functions of loaded code, and their launches. */
public interface LaunchCalls {
    /** Loads a function's code now and not at its first launch. */
    int load(long function);

    /** Whether the driver can say which parameters a function has. */
    boolean knowsParameters();

    /** Writes where a parameter lies among the arguments, and its size, both in bytes, as longs. */
    int parameter(long function, long index, MemorySegment offset, MemorySegment size);

    /** Launches a kernel, one-dimensional. Allocates nothing. */
    int launch(long function, int blocks, int threads, int dynamicSharedBytes, long stream, MemorySegment parameters);
}
