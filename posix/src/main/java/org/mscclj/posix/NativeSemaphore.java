package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A semaphore of the C library, which threads of native code can post without entering the JVM. Its memory lives until
 * {@link #free}, also if no Java object refers to it any more: a post may still come. Posting has release semantics,
 * and {@link #isPosted} has acquire semantics.
 */
public final class NativeSemaphore {
    static final long BYTES = 64; // a sem_t has 32 bytes with glibc
    private static final long POST = CLibrary.find("sem_post").address();
    private static final MethodHandle INIT =
            CLibrary.bind("sem_init", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle VALUE =
            CLibrary.bind("sem_getvalue", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(BYTES, 16);

    /** Creates a semaphore that is not posted. */
    public NativeSemaphore() {
        try {
            int _ = (int) INIT.invokeExact(memory.address(), 0, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Returns the address of the function that posts a semaphore. Its only parameter is {@link #address}. */
    public static long post() {
        return POST;
    }

    /** Returns the address of the semaphore. */
    public long address() {
        return memory.address();
    }

    /** Returns whether the semaphore has been posted. */
    public boolean isPosted() {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment value = local.allocate(JAVA_INT);
            int _ = (int) VALUE.invokeExact(memory.address(), value);
            VarHandle.acquireFence();
            return value.get(JAVA_INT, 0) > 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Frees the memory. No thread may post the semaphore any more. */
    public void free() {
        arena.close();
    }
}
