package org.mscclj.backend.nccl;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclCollectives;
import org.mscclj.backend.nccl.ffm.NcclRegistration;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** A rank's communicator of NCCL. Enqueuing a collective allocates nothing. */
final class NcclCommunicator implements FallbackCommunicator {
    /** A call that holds the lock longer than this waits for peers, and only an abort ends it. */
    private static final long BLOCKED_MILLIS = 1_000;

    private static final Optional<String> NO_ALLTOALL_IN_PLACE =
            Optional.of("NCCL has no alltoall in place; use two buffers");

    private final BackendDevice device;
    private final long handle;
    private final int rank;
    private final int size;
    private final ElementTypes types = new ElementTypes(Nccl.version());

    /** Held while NCCL uses the communicator, so that it is not freed meanwhile. */
    private final ReentrantLock calling = new ReentrantLock();

    private volatile boolean aborted;
    private volatile boolean closed;

    /**
     * Creates the communicator of a rank.
     *
     * @param handle the address of the {@code ncclComm_t}
     */
    NcclCommunicator(BackendDevice device, long handle, int rank, int size) {
        this.device = device;
        this.handle = handle;
        this.rank = rank;
        this.size = size;
    }

    @Override
    public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
        return switch (collective) {
            case ALLREDUCE, REDUCESCATTER, REDUCE -> types.refusal(type, op);
            case ALLGATHER, BROADCAST, SCATTER, GATHER -> Optional.empty();
            case ALLTOALL -> inPlace ? NO_ALLTOALL_IN_PLACE : Optional.empty();
            case SENDRECV, TEST ->
                Optional.of("NCCL has no collective " + collective
                        + "; use allreduce, allgather, reducescatter, alltoall, broadcast, reduce, scatter or gather");
        };
    }

    @Override
    public void enqueue(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            int root,
            Stream stream) {
        long count = Slices.count(collective, input, output, type, root, rank, size);
        long from = input.address();
        long to = output.address();
        Optional<String> refusal = refusal(collective, type, op, from == to && count > 0);
        if (refusal.isPresent()) {
            throw new UnsupportedException(refusal.get());
        }
        int code = collective.reduces() ? ElementTypes.code(type) : ElementTypes.BYTE;
        int combiner = collective.reduces() ? ElementTypes.code(op) : 0;
        long bytes = count * type.byteSize();
        long queue = stream.nativeHandle();
        calling.lock();
        try {
            requireOpen();
            // A collective without a reduction moves elements of any type as bytes.
            switch (collective) {
                case ALLREDUCE ->
                    check("ncclAllReduce", NcclCollectives.allReduce(from, to, count, code, combiner, handle, queue));
                case REDUCESCATTER ->
                    check(
                            "ncclReduceScatter",
                            NcclCollectives.reduceScatter(from, to, count, code, combiner, handle, queue));
                case REDUCE ->
                    check("ncclReduce", NcclCollectives.reduce(from, to, count, code, combiner, root, handle, queue));
                case ALLGATHER ->
                    check("ncclAllGather", NcclCollectives.allGather(from, to, bytes, code, handle, queue));
                case BROADCAST ->
                    check("ncclBroadcast", NcclCollectives.broadcast(from, to, bytes, code, root, handle, queue));
                case ALLTOALL -> allToAll(from, to, bytes, queue);
                case SCATTER -> scatter(from, to, bytes, root, queue);
                case GATHER -> gather(from, to, bytes, root, queue);
                case SENDRECV, TEST -> throw new IllegalStateException(collective + " is rejected before");
            }
        } finally {
            calling.unlock();
        }
    }

    private void allToAll(long from, long to, long bytes, long queue) {
        int result = NcclCollectives.groupStart();
        for (int peer = 0; peer < size && result == 0; peer++) {
            result = send(from + peer * bytes, bytes, peer, queue);
            if (result == 0) {
                result = receive(to + peer * bytes, bytes, peer, queue);
            }
        }
        endGroup(result);
    }

    private void scatter(long from, long to, long bytes, int root, long queue) {
        // In place, the root's own part needs no copy.
        boolean inPlace = rank == root && to == from + root * bytes;
        int result = NcclCollectives.groupStart();
        for (int peer = 0; rank == root && peer < size && result == 0; peer++) {
            if (peer != root || !inPlace) {
                result = send(from + peer * bytes, bytes, peer, queue);
            }
        }
        if (result == 0 && !inPlace) {
            result = receive(to, bytes, root, queue);
        }
        endGroup(result);
    }

    private void gather(long from, long to, long bytes, int root, long queue) {
        boolean inPlace = rank == root && from == to + root * bytes;
        int result = NcclCollectives.groupStart();
        if (result == 0 && !inPlace) {
            result = send(from, bytes, root, queue);
        }
        for (int peer = 0; rank == root && peer < size && result == 0; peer++) {
            if (peer != root || !inPlace) {
                result = receive(to + peer * bytes, bytes, peer, queue);
            }
        }
        endGroup(result);
    }

    private int send(long from, long bytes, int peer, long queue) {
        return NcclCollectives.send(from, bytes, ElementTypes.BYTE, peer, handle, queue);
    }

    private int receive(long to, long bytes, int peer, long queue) {
        return NcclCollectives.receive(to, bytes, ElementTypes.BYTE, peer, handle, queue);
    }

    /** Ends the group even after a failure: otherwise all later calls of this thread would belong to it. */
    private void endGroup(int result) {
        int end = NcclCollectives.groupEnd();
        check("a send or receive", result);
        check("ncclGroupEnd", end);
    }

    private void check(String function, int result) {
        Nccl.check(function, result, handle);
    }

    @Override
    public DeviceBuffer allocate(long bytes, boolean symmetric) {
        if (bytes <= 0) {
            throw InvalidArgumentException.of("bytes", bytes, "more than 0");
        }
        if (!(symmetric ? NcclRegistration.hasWindows() : NcclRegistration.isThere())) {
            throw new UnsupportedException("NCCL " + Nccl.version() + " has no "
                    + (symmetric
                            ? "symmetric windows; install 2.27 or later"
                            : "memory of its own; install 2.19 or later"));
        }
        device.makeCurrent();
        calling.lock();
        try {
            requireOpen();
            return NcclMemory.allocate(device, this, handle, bytes, symmetric);
        } finally {
            calling.unlock();
        }
    }

    /** Whether memory may still be deregistered and freed by NCCL. */
    boolean isOpen() {
        return !aborted && !closed;
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the communicator is closed; open another one");
        }
        if (aborted) {
            throw new AbortedException("the communicator of NCCL was aborted; close it");
        }
    }

    @Override
    public void abort() {
        boolean free = tryCalling();
        try {
            abortOnce();
        } finally {
            if (free) {
                calling.unlock();
            }
        }
    }

    /** Takes the lock; false if a call that waits for peers holds it, or if the thread is interrupted. */
    private boolean tryCalling() {
        try {
            return calling.tryLock() || calling.tryLock(BLOCKED_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void abortOnce() {
        if (isOpen()) {
            aborted = true;
            Nccl.commAbort(handle);
        }
    }

    /**
     * Destroys the communicator, or aborts it if a call is still using it: NCCL would use the communicator after its
     * destruction, whereas an abort ends the call.
     */
    @Override
    public void close() {
        boolean free = tryCalling();
        try {
            if (free) {
                destroyOnce();
            } else {
                abortOnce();
            }
        } finally {
            closed = true;
            if (free) {
                calling.unlock();
            }
        }
    }

    private synchronized void destroyOnce() {
        if (isOpen()) {
            closed = true;
            device.makeCurrent();
            Nccl.commDestroy(handle);
        }
    }
}
