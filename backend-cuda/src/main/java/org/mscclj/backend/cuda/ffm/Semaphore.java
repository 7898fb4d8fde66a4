package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.OptionalLong;

/**
 * A semaphore of the C library, which threads of the driver can post without entering the JVM. Its memory lives until
 * {@link #free}, also if nobody knows it any more: a post may still come. Posting releases, and {@link #isPosted}
 * acquires.
 */
public final class Semaphore {
    static final long BYTES = 64; // a sem_t has 32 with glibc
    private static final SymbolLookup LIBRARY = Linker.nativeLinker().defaultLookup();
    private static final OptionalLong POST = LIBRARY.find("sem_post")
            .map(address -> OptionalLong.of(address.address()))
            .orElse(OptionalLong.empty());
    private static final MethodHandle INIT =
            bind("sem_init", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle VALUE = bind("sem_getvalue", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(BYTES, 16);

    /** One that is not posted. */
    public Semaphore() {
        try {
            int _ = (int) INIT.invokeExact(memory.address(), 0, 0);
        } catch (Throwable e) {
            throw NativeLibrary.rethrown(e);
        }
    }

    @SuppressWarnings("restricted") // what this package is for
    private static MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(
                        LIBRARY.find(function)
                                .orElseThrow(() -> new IllegalStateException("the C library has no " + function)),
                        descriptor);
    }

    /** Address of the function that posts one, whose only parameter is {@link #address}. */
    public static long post() {
        return POST.orElseThrow(() -> new IllegalStateException("the C library has no sem_post"));
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
            throw NativeLibrary.rethrown(e);
        }
    }

    /** Frees its memory: nobody posts it any more. */
    public void free() {
        arena.close();
    }
}
