package org.mscclj.transport.ib.connection;

import org.mscclj.transport.ib.ffm.QueuePair;
import org.mscclj.transport.ib.ffm.SendRequests;
import org.mscclj.transport.ib.memory.IbLocalMemory;
import org.mscclj.transport.ib.memory.IbRemoteMemory;

/**
 * A queue pair of a connection, and what it has in flight. Used by one thread at a time; allocates nothing.
 *
 * <p>A work request has a number, from 0. The completion of a request tells that all earlier ones have left the send
 * queue, so only some writes report theirs. A completed write may not have arrived yet: the peer's adapter acknowledges
 * it before its bytes are in memory. What a read or an atomic operation returns, in contrast, follows all earlier
 * writes of the queue pair. Such a request is a <em>fence</em>.
 *
 * <p>Writes wait until a signal or a fence follows them, or until {@link #submit} is called: one doorbell then posts
 * them all.
 */
final class SendLane implements AutoCloseable {
    /** The most requests in flight of any lane. */
    static final int MAX_CAPACITY = 256;

    /** The bits of a request's number that do not name the lane. */
    static final int NUMBER_BITS = 48;

    private static final int WRITE = 0;
    private static final int SIGNAL = 1;
    private static final int FENCE = 2;
    private static final int KINDS = 3;

    private static final long NUMBERS = (1L << NUMBER_BITS) - 1;

    /** Every 16th write reports its completion. */
    private static final int SIGNALED_EVERY = 16;

    /** Requests of a fence: a read of memory of the GPU that was written, and one of memory of the host. */
    private static final int FENCE_REQUESTS = 2;

    private final QueuePair pair;
    private final long tag;
    private final int rail;
    private final int capacity;
    private final ControlBlock control;

    /** The latest requests, which are counted as posted, and wait for the doorbell. */
    private final SendRequests requests = new SendRequests(SIGNALED_EVERY);

    /** The operation of each request in flight, multiplied by {@link #KINDS}, plus its kind. */
    private final long[] operations;

    private int peerKey;
    private long posted;
    private long left;
    private int unreported;

    /** Requests since the latest fence. */
    private int unfenced;

    /** The position of the latest operation on this lane. */
    private long latest;

    /** The position up to which this lane's operations have taken effect at the peer. */
    private long effective;

    /** A byte of memory of a GPU that was written after the latest fence, and the key of that memory. */
    private long gpuByte;

    private int gpuKey;
    private boolean writesGpu;

    /** The position that the latest fence covers; its completion makes it effective. */
    private long fenced;

    /**
     * Creates a lane.
     *
     * @param index its number in the connection
     * @param rail the rail of its port
     * @param capacity the most requests in flight
     */
    SendLane(QueuePair pair, int index, int rail, int capacity, ControlBlock control) {
        this.pair = pair;
        this.tag = (long) index << NUMBER_BITS;
        this.rail = rail;
        this.capacity = capacity;
        this.control = control;
        this.operations = new long[capacity];
    }

    QueuePair pair() {
        return pair;
    }

    int rail() {
        return rail;
    }

    /** Sets the key of the peer's {@link ControlBlock}. */
    void peerKey(int key) {
        peerKey = key;
    }

    /** Whether the send queue takes another request. The places of a fence are kept. */
    boolean hasCapacity() {
        return posted - left < capacity - FENCE_REQUESTS;
    }

    /** Whether all of its operations have taken effect at the peer. */
    boolean isQuiet() {
        return effective >= latest;
    }

    long effective() {
        return effective;
    }

    /** Whether the requests without a fence have reached their limit: a fence is posted then even if more follow. */
    boolean isFenceDue() {
        return unfenced >= SIGNALED_EVERY;
    }

    /** Posts a part of a write. */
    void write(
            long position,
            IbLocalMemory source,
            long sourceOffset,
            IbRemoteMemory target,
            long targetOffset,
            int bytes) {
        boolean reported = ++unreported == SIGNALED_EVERY;
        if (reported) {
            unreported = 0;
        }
        requests.write(
                number(position, WRITE),
                reported,
                bytes <= pair.inlineBytes() && source.isOnHost(),
                source.address() + sourceOffset,
                bytes,
                source.localKey(rail),
                target.address() + targetOffset,
                target.key(rail));
        added(position);
        if (!target.isOnHost()) {
            gpuByte = target.address() + targetOffset;
            gpuKey = target.key(rail);
            writesGpu = true;
        }
    }

    /** Posts a signal as an atomic operation, which is a fence too. */
    void increment(long position, IbRemoteMemory target, long offset) {
        requests.increment(
                number(position, SIGNAL),
                control.landing(),
                control.localKey(rail),
                target.address() + offset,
                target.key(rail));
        added(position);
        submit();
        unreported = 0;
        unfenced = 0;
        fenced = position;
        writesGpu &= target.isOnHost();
    }

    /** Posts a signal as a write into the peer's ring. */
    void ring(long position, long peerBlock, int slot, IbRemoteMemory target, long offset) {
        requests.writeWithImmediate(
                number(position, SIGNAL),
                pair.inlineBytes() >= ControlBlock.SIGNAL_BYTES,
                control.signal(slot, target.id(), offset),
                ControlBlock.SIGNAL_BYTES,
                control.localKey(rail),
                ControlBlock.peerSignal(peerBlock, slot),
                peerKey,
                slot);
        added(position);
        submit();
        unreported = 0;
    }

    /**
     * Posts a fence after the latest operation, unless one is in flight. Each write would have its own fence otherwise,
     * since the caller asks for one whenever it polls.
     */
    void fence(long peerBlock) {
        if (fenced >= latest || fenced > effective || posted - left > capacity - FENCE_REQUESTS) {
            return;
        }
        if (writesGpu) {
            // What is read from the GPU follows all writes to it, and what is read from the host those to the host.
            long covered = latest;
            requests.read(number(covered, WRITE), control.landing(), 1, control.localKey(rail), gpuByte, gpuKey);
            added(covered);
            writesGpu = false;
        }
        requests.read(
                number(latest, FENCE),
                control.landing(),
                Long.BYTES,
                control.localKey(rail),
                ControlBlock.readable(peerBlock),
                peerKey);
        added(latest);
        submit();
        unreported = 0;
        unfenced = 0;
        fenced = latest;
    }

    private long number(long position, int kind) {
        operations[(int) (posted % capacity)] = position * KINDS + kind;
        return tag | (posted & NUMBERS);
    }

    private void added(long position) {
        posted++;
        unfenced++;
        latest = position;
        if (requests.isFull()) {
            submit();
        }
    }

    /** Rings the doorbell for the requests that wait for it. */
    void submit() {
        if (!requests.isEmpty()) {
            pair.post(requests);
        }
    }

    /**
     * Accounts for a completed request.
     *
     * @param atomics whether signals are fences
     */
    void completed(long number, boolean atomics) {
        long index = unwrapped(number);
        left = index + 1;
        long operation = operations[(int) (index % capacity)];
        int kind = kind(operation);
        if (kind == FENCE || (kind == SIGNAL && atomics)) {
            effective = operation / KINDS;
        }
    }

    /** Describes a request in flight, for messages. */
    String describe(long number) {
        long operation = operations[(int) (unwrapped(number) % capacity)];
        String what = switch (kind(operation)) {
            case WRITE -> "write";
            case SIGNAL -> "signal";
            default -> "read that waits for the writes";
        };
        return "the " + what + " of operation " + operation / KINDS;
    }

    private static int kind(long operation) {
        return (int) (operation % KINDS);
    }

    /** Frees the memory of requests. The queue pair stays. */
    @Override
    public void close() {
        requests.close();
    }

    /** Restores the uppermost bits of a request's number: it is not further back than the queue is long. */
    private long unwrapped(long number) {
        return posted - ((posted - number) & NUMBERS);
    }
}
