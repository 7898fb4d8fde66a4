package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's functions for communicators, which are addresses. Methods that always block throw a
 * {@link org.mscclj.api.error.BackendException} if they fail; those that may be in progress return the result code.
 */
public final class NcclCommunicators {
    /** {@code NCCL_UNIQUE_ID_BYTES}. */
    public static final int UNIQUE_ID_BYTES = 128;

    /** {@code NCCL_SPLIT_NOCOLOR}: the rank is in no new communicator. */
    public static final int NO_COLOUR = -1;

    /** A struct that is passed by value. */
    private static final StructLayout UNIQUE_ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(UNIQUE_ID_BYTES, JAVA_BYTE).withName("internal"));

    /** The address of a configuration, or 0. */
    private static final long NO_CONFIG = 0;

    private final NcclErrors errors;
    private final NcclVersion version;
    private final MethodHandle getUniqueId;
    private final MethodHandle initRank;
    private final MethodHandle initRankConfig;
    private final MethodHandle split;
    private final MethodHandle shrink;
    private final MethodHandle finalizeCalls;
    private final MethodHandle destroy;
    private final MethodHandle abort;
    private final MethodHandle getAsyncError;
    private final MethodHandle userRank;
    private final MethodHandle count;

    NcclCommunicators(Binding binding, NcclErrors errors) {
        this.errors = errors;
        version = binding.library().version();
        getUniqueId = binding.result(NcclFunction.GET_UNIQUE_ID, ADDRESS);
        initRank = binding.result(NcclFunction.COMM_INIT_RANK, ADDRESS, JAVA_INT, UNIQUE_ID, JAVA_INT);
        initRankConfig =
                binding.result(NcclFunction.COMM_INIT_RANK_CONFIG, ADDRESS, JAVA_INT, UNIQUE_ID, JAVA_INT, ADDRESS);
        split = binding.result(NcclFunction.COMM_SPLIT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
        shrink = binding.result(NcclFunction.COMM_SHRINK, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
        finalizeCalls = binding.result(NcclFunction.COMM_FINALIZE, JAVA_LONG);
        destroy = binding.result(NcclFunction.COMM_DESTROY, JAVA_LONG);
        abort = binding.result(NcclFunction.COMM_ABORT, JAVA_LONG);
        userRank = binding.result(NcclFunction.COMM_USER_RANK, JAVA_LONG, ADDRESS);
        count = binding.result(NcclFunction.COMM_COUNT, JAVA_LONG, ADDRESS);
        getAsyncError = binding.result(NcclFunction.COMM_GET_ASYNC_ERROR, JAVA_LONG, ADDRESS);
    }

    /** {@code ncclGetUniqueId}. */
    public byte[] uniqueId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID);
            require("ncclGetUniqueId", (int) getUniqueId.invokeExact(id));
            return id.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommInitRank}, on the current device. Returns the communicator. Blocks until all ranks have called it.
     */
    public long initRank(int ranks, byte[] uniqueId, int rank) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID).copyFrom(MemorySegment.ofArray(uniqueId));
            MemorySegment communicator = arena.allocate(JAVA_LONG);
            require("ncclCommInitRank", (int) initRank.invokeExact(communicator, ranks, id, rank));
            return communicator.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommInitRankConfig}, on the current device, for a communicator whose calls do not block. Returns the
     * result code. The communicator can be used when {@link #asyncError} is no longer {@link NcclResult#IN_PROGRESS}.
     *
     * @param created receives the communicator; written before the call ends, and perhaps again until it can be used
     */
    public int initRankWithoutWaiting(int ranks, byte[] uniqueId, int rank, MemorySegment created) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(UNIQUE_ID).copyFrom(MemorySegment.ofArray(uniqueId));
            MemorySegment config = NcclConfig.allocate(arena, version, false);
            return (int) initRankConfig.invokeExact(created, ranks, id, rank, config);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommSplit}, with the configuration of the parent.
     *
     * @param created receives the communicator, or 0 for {@link #NO_COLOUR}; written when the parent is no longer
     *     {@link NcclResult#IN_PROGRESS}
     */
    public int split(long communicator, int colour, int key, MemorySegment created) {
        try {
            return (int) split.invokeExact(communicator, colour, key, created, NO_CONFIG);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommShrink}, with the configuration of the parent. Ranks that are excluded do not call it.
     *
     * @param excluded ranks of the parent, ints
     * @param created receives the communicator; written when the parent is no longer {@link NcclResult#IN_PROGRESS}
     * @param abort whether calls of the parent are ended first
     */
    public int shrink(long communicator, MemorySegment excluded, MemorySegment created, boolean abort) {
        int count = (int) (excluded.byteSize() / Integer.BYTES);
        try {
            return (int) shrink.invokeExact(communicator, excluded, count, created, NO_CONFIG, abort ? 1 : 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommFinalize}. */
    public int finalizeCalls(long communicator) {
        try {
            return (int) finalizeCalls.invokeExact(communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommDestroy}. */
    public int destroy(long communicator) {
        try {
            return (int) destroy.invokeExact(communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommAbort}. Any thread may call it while another one uses the communicator. */
    public int abort(long communicator) {
        try {
            return (int) abort.invokeExact(communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code ncclCommGetAsyncError}.
     *
     * @param state receives the state of the communicator, an int
     */
    public int asyncError(long communicator, MemorySegment state) {
        try {
            return (int) getAsyncError.invokeExact(communicator, state);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommUserRank}. */
    public int rank(long communicator) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rank = arena.allocate(JAVA_INT);
            require("ncclCommUserRank", (int) userRank.invokeExact(communicator, rank));
            return rank.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclCommCount}. */
    public int size(long communicator) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_INT);
            require("ncclCommCount", (int) count.invokeExact(communicator, size));
            return size.get(JAVA_INT, 0);
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
