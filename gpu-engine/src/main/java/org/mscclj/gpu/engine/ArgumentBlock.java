package org.mscclj.gpu.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;

/**
 * The arguments of a kernel that takes one structure, and the list of pointers by which a driver takes them. A launch
 * of each size has its own block, so that the memory has no arena: see {@link HeapBlock}.
 */
final class ArgumentBlock implements AutoCloseable {
    private static final long ALIGNMENT = 16;

    private final HeapBlock block;
    private final MemorySegment arguments;
    private final MemorySegment parameters;

    /**
     * Zeroed arguments.
     *
     * @param bytes size of the structure
     */
    ArgumentBlock(long bytes) {
        long list = Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
        block = HeapBlock.zeroed(list + ValueLayout.ADDRESS.byteSize(), ALIGNMENT);
        MemorySegment all = NativeMemory.range(block.address(), list + ValueLayout.ADDRESS.byteSize(), Arena.global());
        arguments = all.asSlice(0, bytes);
        parameters = all.asSlice(list);
        parameters.set(ValueLayout.ADDRESS, 0, arguments);
    }

    /** The structure. */
    MemorySegment arguments() {
        return arguments;
    }

    /** The list of pointers. */
    MemorySegment parameters() {
        return parameters;
    }

    /** Frees the memory. No launch may use it any more. */
    @Override
    public void close() {
        block.close();
    }
}
