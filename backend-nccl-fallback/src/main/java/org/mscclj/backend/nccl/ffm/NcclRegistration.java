package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/** NCCL's allocator and its registration of memory. */
public final class NcclRegistration {
    private static final int COLLECTIVE_SYMMETRIC = 1;

    private final NcclErrors errors;
    private final MethodHandle memAlloc;
    private final MethodHandle memFree;
    private final MethodHandle commRegister;
    private final MethodHandle commDeregister;
    private final MethodHandle windowRegister;
    private final MethodHandle windowDeregister;

    NcclRegistration(Binding binding, NcclErrors errors) {
        this.errors = errors;
        memAlloc = binding.result(NcclFunction.MEM_ALLOC, ADDRESS, JAVA_LONG);
        memFree = binding.result(NcclFunction.MEM_FREE, JAVA_LONG);
        commRegister = binding.result(NcclFunction.COMM_REGISTER, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
        commDeregister = binding.result(NcclFunction.COMM_DEREGISTER, JAVA_LONG, JAVA_LONG);
        windowRegister =
                binding.result(NcclFunction.COMM_WINDOW_REGISTER, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT);
        windowDeregister = binding.result(NcclFunction.COMM_WINDOW_DEREGISTER, JAVA_LONG, JAVA_LONG);
    }

    /** {@code ncclMemAlloc}, on the current device. */
    public long memAlloc(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            require("ncclMemAlloc", (int) memAlloc.invokeExact(address, bytes));
            return address.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclMemFree}. */
    public void memFree(long address) {
        try {
            require("ncclMemFree", (int) memFree.invokeExact(address));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommRegister}. Returns the result code.
     *
     * @param registration receives the handle of the registration
     */
    public int register(long communicator, long address, long bytes, MemorySegment registration) {
        try {
            return (int) commRegister.invokeExact(communicator, address, bytes, registration);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommDeregister}. Returns the result code. */
    public int deregister(long communicator, long registration) {
        try {
            return (int) commDeregister.invokeExact(communicator, registration);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. All ranks must call it. Returns the result
     * code.
     *
     * @param window receives the window, or 0 where the machine has none; written before the call ends
     */
    public int windowRegister(long communicator, long address, long bytes, MemorySegment window) {
        try {
            return (int) windowRegister.invokeExact(communicator, address, bytes, window, COLLECTIVE_SYMMETRIC);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommWindowDeregister}. Returns the result code. */
    public int windowDeregister(long communicator, long window) {
        try {
            return (int) windowDeregister.invokeExact(communicator, window);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    private void require(String function, int result) {
        if (result != NcclResult.SUCCESS) {
            throw errors.failure(function, result);
        }
    }
}
