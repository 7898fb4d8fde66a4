package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's allocator and its registration of memory, which only later versions have: call {@link #isThere} and
 * {@link #hasWindows} first.
 */
public final class NcclRegistration {
    private static final int COLLECTIVE_SYMMETRIC = 1;

    private NcclRegistration() {}

    /** Since 2.19. */
    private static final class Functions {
        static final MethodHandle MEM_ALLOC = Binding.bind("ncclMemAlloc", ADDRESS, JAVA_LONG);
        static final MethodHandle MEM_FREE = Binding.bind("ncclMemFree", JAVA_LONG);
        static final MethodHandle COMM_REGISTER =
                Binding.bind("ncclCommRegister", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
        static final MethodHandle COMM_DEREGISTER = Binding.bind("ncclCommDeregister", JAVA_LONG, JAVA_LONG);

        private Functions() {}
    }

    /** Since 2.27. */
    private static final class Windows {
        static final MethodHandle REGISTER =
                Binding.bind("ncclCommWindowRegister", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT);
        static final MethodHandle DEREGISTER = Binding.bind("ncclCommWindowDeregister", JAVA_LONG, JAVA_LONG);

        private Windows() {}
    }

    /** Whether NCCL can allocate memory and register it: 2.19 and later. */
    public static boolean isThere() {
        return NcclLibrary.installed().has("ncclMemAlloc")
                && NcclLibrary.installed().has("ncclCommRegister");
    }

    /** Whether NCCL has symmetric windows: 2.27 and later. */
    public static boolean hasWindows() {
        return isThere() && NcclLibrary.installed().has("ncclCommWindowRegister");
    }

    /** {@code ncclMemAlloc}, on the current device. */
    public static long memAlloc(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            Nccl.check("ncclMemAlloc", (int) Functions.MEM_ALLOC.invokeExact(address, bytes), 0);
            return address.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclMemFree}. */
    public static void memFree(long address) {
        try {
            Nccl.check("ncclMemFree", (int) Functions.MEM_FREE.invokeExact(address), 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommRegister}. Returns a handle. */
    public static long commRegister(long communicator, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            Nccl.check(
                    "ncclCommRegister",
                    (int) Functions.COMM_REGISTER.invokeExact(communicator, address, bytes, handle),
                    communicator);
            return handle.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommDeregister}. */
    public static void commDeregister(long communicator, long handle) {
        try {
            Nccl.check(
                    "ncclCommDeregister",
                    (int) Functions.COMM_DEREGISTER.invokeExact(communicator, handle),
                    communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. Returns a window. All ranks must call it.
     */
    public static long windowRegister(long communicator, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocate(JAVA_LONG);
            Nccl.check(
                    "ncclCommWindowRegister",
                    (int) Windows.REGISTER.invokeExact(communicator, address, bytes, window, COLLECTIVE_SYMMETRIC),
                    communicator);
            return window.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommWindowDeregister}. */
    public static void windowDeregister(long communicator, long window) {
        try {
            Nccl.check(
                    "ncclCommWindowDeregister",
                    (int) Windows.DEREGISTER.invokeExact(communicator, window),
                    communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
