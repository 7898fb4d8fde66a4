package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's functions for communicators. Call them only if {@link #problem} is empty. Communicators are addresses; a
 * failure throws a {@link BackendException}.
 */
public final class Nccl {
    /** {@code NCCL_UNIQUE_ID_BYTES}. */
    public static final int UNIQUE_ID_BYTES = 128;

    /** A struct that is passed by value. */
    private static final StructLayout UNIQUE_ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(UNIQUE_ID_BYTES, JAVA_BYTE).withName("internal"));

    private Nccl() {}

    /** Bound at the first use of this class, after {@link #problem} has returned empty. */
    private static final class Functions {
        static final MethodHandle GET_VERSION = Binding.bind("ncclGetVersion", ADDRESS);
        static final MethodHandle GET_UNIQUE_ID = Binding.bind("ncclGetUniqueId", ADDRESS);
        static final MethodHandle COMM_INIT_RANK =
                Binding.bind("ncclCommInitRank", ADDRESS, JAVA_INT, UNIQUE_ID, JAVA_INT);
        static final MethodHandle COMM_DESTROY = Binding.bind("ncclCommDestroy", JAVA_LONG);
        static final MethodHandle COMM_ABORT = Binding.bind("ncclCommAbort", JAVA_LONG);
        static final MethodHandle GET_ERROR_STRING =
                Binding.bind("ncclGetErrorString", FunctionDescriptor.of(Binding.text(), JAVA_INT));

        private Functions() {}
    }

    /** Since 2.13. */
    private static final class LastError {
        static final MethodHandle GET_LAST_ERROR =
                Binding.bind("ncclGetLastError", FunctionDescriptor.of(Binding.text(), JAVA_LONG));

        private LastError() {}
    }

    /** Returns why NCCL cannot be used, and what to do; empty if it can be used. Loads the library. */
    public static Optional<String> problem() {
        return NcclLibrary.installed().problem();
    }

    /** Returns the loaded library: its path, or its name for the dynamic linker. */
    public static String path() {
        return NcclLibrary.installed().path();
    }

    /** Returns the variable that controls NVLink multicast, and its value. */
    public static String multicast() {
        return MulticastDefault.VARIABLE + "=" + MulticastDefault.value();
    }

    /** {@code ncclGetVersion}. */
    public static NcclVersion version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            check("ncclGetVersion", (int) Functions.GET_VERSION.invokeExact(version), 0);
            return new NcclVersion(version.get(JAVA_INT, 0));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclGetUniqueId}. */
    public static byte[] uniqueId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID);
            check("ncclGetUniqueId", (int) Functions.GET_UNIQUE_ID.invokeExact(id), 0);
            return id.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommInitRank}, on the current device. Returns the communicator. Blocks until all ranks have called it.
     */
    public static long commInitRank(int ranks, byte[] uniqueId, int rank) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID).copyFrom(MemorySegment.ofArray(uniqueId));
            MemorySegment communicator = arena.allocate(JAVA_LONG);
            check("ncclCommInitRank", (int) Functions.COMM_INIT_RANK.invokeExact(communicator, ranks, id, rank), 0);
            return communicator.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommDestroy}. */
    public static void commDestroy(long communicator) {
        try {
            check("ncclCommDestroy", (int) Functions.COMM_DESTROY.invokeExact(communicator), 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommAbort}. */
    public static void commAbort(long communicator) {
        try {
            check("ncclCommAbort", (int) Functions.COMM_ABORT.invokeExact(communicator), 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * Throws if a call has failed.
     *
     * @param function the name of the called function
     * @param result its result
     * @param communicator the communicator whose last error the message quotes; 0 for none
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
            throw ForeignCalls.rethrown(e);
        }
    }
}
