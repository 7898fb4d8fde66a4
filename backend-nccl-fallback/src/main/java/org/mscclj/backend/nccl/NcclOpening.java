package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.NcclResult;
import org.mscclj.spi.device.BackendDevice;

/** Opens communicators: from an id, and from another communicator. */
final class NcclOpening {
    /** More than {@link CallWatch} takes to end a call that exceeds its limit. */
    private static final Duration WATCH_SLACK = Duration.ofSeconds(1);

    private NcclOpening() {}

    /** A function that creates a communicator. */
    @FunctionalInterface
    private interface Creation {
        int call(MemorySegment created);
    }

    /** Opens a communicator whose calls block. Blocks until all ranks have called. */
    static NcclHandle blocking(Nccl nccl, BackendDevice device, byte[] id, int rank, int size) {
        device.makeCurrent();
        return new NcclHandle(nccl, device, nccl.communicators().initRank(size, id, rank), Duration.ZERO);
    }

    /** Opens a communicator whose calls, and this one, end within a limit. */
    static NcclHandle bounded(Nccl nccl, BackendDevice device, byte[] id, int rank, int size, Duration limit) {
        nccl.library().require(NcclFunction.COMM_INIT_RANK_CONFIG);
        // One thread begins the call and waits for it: NCCL before 2.19.1 keeps the call in memory of the thread.
        return BoundedCall.call(
                NcclFunction.COMM_INIT_RANK_CONFIG.symbol(),
                limit.plus(WATCH_SLACK),
                () -> withoutWaiting(nccl, device, id, rank, size, limit),
                NcclHandle::abort);
    }

    private static NcclHandle withoutWaiting(
            Nccl nccl, BackendDevice device, byte[] id, int rank, int size, Duration limit) {
        String function = NcclFunction.COMM_INIT_RANK_CONFIG.symbol();
        device.makeCurrent();
        // Not freed after a failure: NCCL may still write the address of the communicator.
        Arena arena = Arena.ofShared();
        MemorySegment created = arena.allocate(JAVA_LONG);
        int result = nccl.communicators().initRankWithoutWaiting(size, id, rank, created);
        if (result != NcclResult.SUCCESS && result != NcclResult.IN_PROGRESS) {
            throw nccl.failure(function, result);
        }
        NcclHandle handle = new NcclHandle(nccl, device, created.get(JAVA_LONG, 0), limit);
        settled(handle, function, result);
        arena.close();
        return handle;
    }

    /** Splits a communicator; empty if the colour is that of no communicator. */
    static Optional<NcclHandle> split(NcclHandle parent, int colour, int key) {
        return derived(
                parent,
                "split",
                NcclFunction.COMM_SPLIT,
                created -> parent.nccl().communicators().split(parent.address(), colour, key, created));
    }

    /**
     * Opens a communicator without some ranks. All versions of NCCL refuse this for a parent that has failed, with the
     * abort too, which ends operations on the device only.
     */
    static NcclHandle shrink(NcclHandle parent, int[] excluded, boolean abort) {
        MemorySegment ranks = Arena.ofAuto().allocateFrom(JAVA_INT, excluded);
        return derived(
                        parent,
                        "shrunk",
                        NcclFunction.COMM_SHRINK,
                        created -> parent.nccl().communicators().shrink(parent.address(), ranks, created, abort))
                .orElseThrow();
    }

    /** Creates a communicator during a call of its parent. */
    private static Optional<NcclHandle> derived(
            NcclHandle parent, String done, NcclFunction function, Creation creation) {
        parent.nccl().library().require(function);
        parent.requireWorking(done);
        parent.device().makeCurrent();
        Arena arena = Arena.ofShared(); // not freed after a failure, as above
        MemorySegment created = arena.allocate(JAVA_LONG);
        long address;
        parent.enter();
        try {
            parent.check(function.symbol(), creation.call(created));
            address = created.get(JAVA_LONG, 0);
        } finally {
            parent.exit();
        }
        arena.close();
        if (address == 0) {
            return Optional.empty();
        }
        NcclHandle handle = new NcclHandle(parent.nccl(), parent.device(), address, parent.limit());
        settled(handle, function.symbol(), parent.limit().isZero() ? NcclResult.SUCCESS : NcclResult.IN_PROGRESS);
        return Optional.of(handle);
    }

    /** Waits until a communicator can be used, and aborts it if that fails. */
    private static void settled(NcclHandle handle, String function, int result) {
        try {
            handle.enter();
            try {
                handle.check(function, result);
            } finally {
                handle.exit();
            }
        } catch (RuntimeException e) {
            try {
                handle.abandon();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }
}
