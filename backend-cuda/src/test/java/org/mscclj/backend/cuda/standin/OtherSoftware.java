package org.mscclj.backend.cuda.standin;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.context.DeviceContext;

/** Allocates memory of the stand-in driver as other software does, and not as the backend does. */
@SuppressWarnings("restricted") // what this class is for
public final class OtherSoftware {
    private static final int GLOBAL = 1;
    private static final SymbolLookup DRIVER = SymbolLookup.libraryLookup(StandIn.driver(), Arena.global());
    private static final MethodHandle ALLOCATE = bind("cuMemAlloc_v2", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle FREE = bind("cuMemFree_v2", ValueLayout.JAVA_LONG);
    private static final MethodHandle FROM_POOL =
            bind("cuMemAllocAsync", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle MANAGED =
            bind("cuMemAllocManaged", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);

    private OtherSoftware() {}

    private static MethodHandle bind(String name, java.lang.foreign.MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(DRIVER.findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    private interface Allocator {
        int allocate(MemorySegment address) throws Throwable;
    }

    private static long allocate(DeviceContext context, Allocator allocator) {
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ValueLayout.JAVA_LONG);
            check(allocator.allocate(address));
            return address.get(ValueLayout.JAVA_LONG, 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Memory of {@code cuMemAlloc}. */
    public static long allocate(DeviceContext context, long bytes) {
        return allocate(context, address -> (int) ALLOCATE.invokeExact(address, bytes));
    }

    /** Memory of a pool. */
    public static long fromPool(DeviceContext context, long bytes) {
        return allocate(context, address -> (int) FROM_POOL.invokeExact(address, bytes, 0L));
    }

    /** Managed memory. */
    public static long managed(DeviceContext context, long bytes) {
        return allocate(context, address -> (int) MANAGED.invokeExact(address, bytes, GLOBAL));
    }

    /** Frees memory of any of them. */
    public static void free(DeviceContext context, long address) {
        context.use();
        try {
            check((int) FREE.invokeExact(address));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("the stand-in says " + result);
        }
    }
}
