package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Loads compiled code into the current context, and reads attributes of its functions. May allocate. */
public interface CodeCalls {
    /** Loads code, and writes its module. */
    int load(MemorySegment module, byte[] code);

    /** Unloads a module and its functions. */
    int unload(long module);

    /** Writes the function of a module with a name. */
    int find(MemorySegment function, long module, String name);

    /** Writes an attribute of a function, an int. */
    int attribute(MemorySegment value, long function, FunctionAttribute attribute);

    /** Writes the number of blocks that a multiprocessor can hold at once, an int. */
    int occupancy(MemorySegment blocks, long function, int threads, int dynamicSharedBytes);
}
