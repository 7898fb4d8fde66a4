package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.mscclj.api.error.BackendException;

/**
 * NCCL's functions. Ask {@link #problem} first; {@link #hasRegistration} and {@link #hasWindows} before what only later versions have.
 *
 * <p>Communicators, streams and memory are addresses. Failures are {@link BackendException}s, except where a result code is returned: that of
 * collectives, whose callers must end a group first. Those allocate nothing.
 */
public final class Nccl {
    /** {@code NCCL_UNIQUE_ID_BYTES}. */
    public static final int UNIQUE_ID_BYTES = 128;

    private static final int COLLECTIVE_SYMMETRIC = 1;

    /** A struct that is passed by value. */
    private static final StructLayout UNIQUE_ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(UNIQUE_ID_BYTES, JAVA_BYTE).withName("internal"));

    private Nccl() {}

    /** Bound when the class is first used, which is not before {@link #problem} has said that it can be. */
    private static final class Functions {
        static final MethodHandle GET_VERSION = bind("ncclGetVersion", ADDRESS);
        static final MethodHandle GET_UNIQUE_ID = bind("ncclGetUniqueId", ADDRESS);
        static final MethodHandle COMM_INIT_RANK = bind("ncclCommInitRank", ADDRESS, JAVA_INT, UNIQUE_ID, JAVA_INT);
        static final MethodHandle COMM_DESTROY = bind("ncclCommDestroy", JAVA_LONG);
        static final MethodHandle COMM_ABORT = bind("ncclCommAbort", JAVA_LONG);
        static final MethodHandle GET_ERROR_STRING =
                bind("ncclGetErrorString", FunctionDescriptor.of(text(), JAVA_INT));
        static final MethodHandle GROUP_START = bind("ncclGroupStart");
        static final MethodHandle GROUP_END = bind("ncclGroupEnd");
        static final MethodHandle ALL_REDUCE =
                bind("ncclAllReduce", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle ALL_GATHER =
                bind("ncclAllGather", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle REDUCE_SCATTER =
                bind("ncclReduceScatter", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle BROADCAST =
                bind("ncclBroadcast", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle REDUCE =
                bind("ncclReduce", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle SEND =
                bind("ncclSend", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle RECV =
                bind("ncclRecv", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

        private Functions() {}
    }

    /** Since 2.13. */
    private static final class LastError {
        static final MethodHandle GET_LAST_ERROR = bind("ncclGetLastError", FunctionDescriptor.of(text(), JAVA_LONG));

        private LastError() {}
    }

    /** Since 2.19. */
    private static final class Registration {
        static final MethodHandle MEM_ALLOC = bind("ncclMemAlloc", ADDRESS, JAVA_LONG);
        static final MethodHandle MEM_FREE = bind("ncclMemFree", JAVA_LONG);
        static final MethodHandle COMM_REGISTER = bind("ncclCommRegister", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
        static final MethodHandle COMM_DEREGISTER = bind("ncclCommDeregister", JAVA_LONG, JAVA_LONG);

        private Registration() {}
    }

    /** Since 2.27. */
    private static final class Windows {
        static final MethodHandle REGISTER =
                bind("ncclCommWindowRegister", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT);
        static final MethodHandle DEREGISTER = bind("ncclCommWindowDeregister", JAVA_LONG, JAVA_LONG);

        private Windows() {}
    }

    private static MethodHandle bind(String name, MemoryLayout... parameters) {
        return bind(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    @SuppressWarnings("restricted") // what this class is for
    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(NcclLibrary.installed().symbols().findOrThrow(name), descriptor);
    }

    /** A string that ends with a zero. */
    @SuppressWarnings("restricted") // what this class is for
    private static AddressLayout text() {
        return ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
    }

    /** Why NCCL cannot be used here, and what to do; empty if it can. Loads the library. */
    public static Optional<String> problem() {
        return NcclLibrary.installed().problem();
    }

    /** What was loaded: a path, or the name that the loader knows. */
    public static String path() {
        return NcclLibrary.installed().path();
    }

    /** Whether NCCL can allocate memory and register it: 2.19 and later. */
    public static boolean hasRegistration() {
        return NcclLibrary.installed().has("ncclMemAlloc")
                && NcclLibrary.installed().has("ncclCommRegister");
    }

    /** Whether NCCL has symmetric windows: 2.27 and later. */
    public static boolean hasWindows() {
        return hasRegistration() && NcclLibrary.installed().has("ncclCommWindowRegister");
    }

    /** {@code ncclGetVersion}. */
    public static NcclVersion version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            check("ncclGetVersion", (int) Functions.GET_VERSION.invokeExact(version), 0);
            return new NcclVersion(version.get(JAVA_INT, 0));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclGetUniqueId}. */
    public static byte[] uniqueId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID);
            check("ncclGetUniqueId", (int) Functions.GET_UNIQUE_ID.invokeExact(id), 0);
            return id.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommInitRank}, on the current device: a communicator. Blocks until all ranks have called. */
    public static long commInitRank(int ranks, byte[] uniqueId, int rank) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID).copyFrom(MemorySegment.ofArray(uniqueId));
            MemorySegment communicator = arena.allocate(JAVA_LONG);
            check("ncclCommInitRank", (int) Functions.COMM_INIT_RANK.invokeExact(communicator, ranks, id, rank), 0);
            return communicator.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommDestroy}. */
    public static void commDestroy(long communicator) {
        try {
            check("ncclCommDestroy", (int) Functions.COMM_DESTROY.invokeExact(communicator), 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommAbort}. */
    public static void commAbort(long communicator) {
        try {
            check("ncclCommAbort", (int) Functions.COMM_ABORT.invokeExact(communicator), 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclGroupStart}: what follows on this thread is enqueued by {@link #groupEnd}. */
    public static int groupStart() {
        try {
            return (int) Functions.GROUP_START.invokeExact();
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclGroupEnd}. */
    public static int groupEnd() {
        try {
            return (int) Functions.GROUP_END.invokeExact();
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclAllReduce}. */
    public static int allReduce(long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) Functions.ALL_REDUCE.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclAllGather}; the count is that of one rank's part. */
    public static int allGather(long input, long output, long count, int type, long communicator, long stream) {
        try {
            return (int) Functions.ALL_GATHER.invokeExact(input, output, count, type, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclReduceScatter}; the count is that of one rank's part. */
    public static int reduceScatter(
            long input, long output, long count, int type, int op, long communicator, long stream) {
        try {
            return (int) Functions.REDUCE_SCATTER.invokeExact(input, output, count, type, op, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclBroadcast}. */
    public static int broadcast(
            long input, long output, long count, int type, int root, long communicator, long stream) {
        try {
            return (int) Functions.BROADCAST.invokeExact(input, output, count, type, root, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclReduce}. */
    public static int reduce(
            long input, long output, long count, int type, int op, int root, long communicator, long stream) {
        try {
            return (int) Functions.REDUCE.invokeExact(input, output, count, type, op, root, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclSend}. */
    public static int send(long input, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) Functions.SEND.invokeExact(input, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclRecv}. */
    public static int receive(long output, long count, int type, int peer, long communicator, long stream) {
        try {
            return (int) Functions.RECV.invokeExact(output, count, type, peer, communicator, stream);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclMemAlloc}, on the current device. */
    public static long memAlloc(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            check("ncclMemAlloc", (int) Registration.MEM_ALLOC.invokeExact(address, bytes), 0);
            return address.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclMemFree}. */
    public static void memFree(long address) {
        try {
            check("ncclMemFree", (int) Registration.MEM_FREE.invokeExact(address), 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommRegister}: a handle. */
    public static long commRegister(long communicator, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            check(
                    "ncclCommRegister",
                    (int) Registration.COMM_REGISTER.invokeExact(communicator, address, bytes, handle),
                    communicator);
            return handle.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommDeregister}. */
    public static void commDeregister(long communicator, long handle) {
        try {
            check(
                    "ncclCommDeregister",
                    (int) Registration.COMM_DEREGISTER.invokeExact(communicator, handle),
                    communicator);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}: a window. Collective. */
    public static long windowRegister(long communicator, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocate(JAVA_LONG);
            check(
                    "ncclCommWindowRegister",
                    (int) Windows.REGISTER.invokeExact(communicator, address, bytes, window, COLLECTIVE_SYMMETRIC),
                    communicator);
            return window.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code ncclCommWindowDeregister}. */
    public static void windowDeregister(long communicator, long window) {
        try {
            check("ncclCommWindowDeregister", (int) Windows.DEREGISTER.invokeExact(communicator, window), communicator);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * Throws if a call failed.
     *
     * @param function its name
     * @param result what it gave
     * @param communicator whose last error the message tells; 0 for none
     */
    public static void check(String function, int result, long communicator) {
        if (result != NcclResult.SUCCESS) {
            throw failure(function, result, communicator);
        }
    }

    private static BackendException failure(String function, int result, long communicator) {
        String last = "";
        try {
            String text = ((MemorySegment) Functions.GET_ERROR_STRING.invokeExact(result)).getString(0);
            if (NcclLibrary.installed().has("ncclGetLastError")) {
                last = ((MemorySegment) LastError.GET_LAST_ERROR.invokeExact(communicator)).getString(0);
            }
            return new BackendException(
                    function + " failed: " + text + (last.isBlank() ? "" : ": " + last.strip()),
                    result,
                    NcclResult.name(result));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Method handles declare everything; only what is unchecked can come out of these. */
    private static RuntimeException rethrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }
}
