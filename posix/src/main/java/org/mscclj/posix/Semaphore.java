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
 * {@link #free}, also if nobody knows it any more: a post may still come. Posting releases, and {@link #isPosted}
 * acquires.
 */
public final class Semaphore {
    static final long BYTES = 64; // a sem_t has 32 with glibc
    private static final long POST = CLibrary.find("sem_post").address();
    private static final MethodHandle INIT =
            CLibrary.bind("sem_init", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle VALUE =
            CLibrary.bind("sem_getvalue", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(BYTES, 16);

    /** One that is not posted. */
    public Semaphore() {
        try {
            int _ = (int) INIT.invokeExact(memory.address(), 0, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Address of the function that posts one, whose only parameter is {@link #address}. */
    public static long post() {
        return POST;
    }

    /** Where it is. */
    public long address() {
        return memory.address();
    }

    /** Whether it has been posted. */
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

    /** Frees its memory: nobody posts it any more. */
    public void free() {
        arena.close();
    }
}
