package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory of the C library's heap, used by address. Available on every system.
 *
 * <p>To free it takes the time of one call of {@code free}. Closing a shared {@link java.lang.foreign.Arena} stops
 * every thread of the process for a moment instead, so that the close of n arenas by n threads takes time in proportion
 * to n². In return, nothing protects the threads that still use the address.
 */
public final class HeapBlock implements AutoCloseable {
    private static final MethodHandle CALLOC =
            CLibrary.bind("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE = CLibrary.bind("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private final long base;
    private final long address;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HeapBlock(long base, long address) {
        this.base = base;
        this.address = address;
    }

    /**
     * Allocates zeroed memory.
     *
     * @param bytes its size; at least 0
     * @param alignment alignment of its address in bytes, a power of 2
     * @throws OutOfMemoryError if the heap has no such block
     */
    public static HeapBlock zeroed(long bytes, long alignment) {
        if (bytes < 0 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("a block of " + bytes + " bytes, aligned to " + alignment
                    + "; allowed: 0 bytes or more, aligned to a power of 2");
        }
        // more than asked for, to align the address: calloc exists on every system, and functions that align do not
        long base = bytes > Long.MAX_VALUE - alignment ? 0 : calloc(bytes + alignment);
        if (base == 0) {
            throw new OutOfMemoryError("calloc of " + bytes + " bytes, and " + alignment + " to align them");
        }
        return new HeapBlock(base, (base + alignment - 1) & -alignment);
    }

    /** Returns the address. */
    public long address() {
        return address;
    }

    /** Frees the memory. No thread may use it any more. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            free(base);
        }
    }

    /** {@code void *calloc(size_t nmemb, size_t size)}. */
    private static long calloc(long bytes) {
        try {
            return (long) CALLOC.invokeExact(1L, bytes);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code void free(void *ptr)}. */
    private static void free(long base) {
        try {
            FREE.invokeExact(base);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
