package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Compiled code, loaded in the current context, and what is known of its functions. May allocate. */
public interface CodeCalls {
    /** Loads code, and writes its module. */
    int load(MemorySegment module, byte[] code);

    /** Unloads a module, and its functions with it. */
    int unload(long module);

    /** Writes a function of a module. */
    int find(MemorySegment function, long module, String name);

    /** Writes an attribute of a function, an int. */
    int attribute(MemorySegment value, long function, FunctionAttribute attribute);

    /** Writes how many blocks a multiprocessor can hold at once, an int. */
    int occupancy(MemorySegment blocks, long function, int threads, int dynamicSharedBytes);
}
