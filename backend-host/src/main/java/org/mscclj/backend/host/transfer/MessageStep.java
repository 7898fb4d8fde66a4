package org.mscclj.backend.host.transfer;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;

/** The chunks of a send or receive on one lane: with {@code n} lanes, every {@code n}-th chunk. */
abstract class MessageStep extends HostStep {
    private final Transfer transfer;
    private final TransferLane lane;
    private final long payloadBytes;
    private final long chunks;
    private final int first;
    private final int stride;

    /** The next chunk; written by the thread that continues the block, read by threads that report progress. */
    private volatile long next;

    /**
     * A lane's part of a send or receive.
     *
     * @param first the first chunk that takes this lane
     */
    MessageStep(Transfer transfer, TransferLane lane, TransferLanes lanes, int first) {
        this.transfer = transfer;
        this.lane = lane;
        this.payloadBytes = lanes.payloadBytes();
        this.chunks = lanes.chunks(transfer.bytes());
        this.first = first;
        this.stride = lanes.lanes();
    }

    Transfer transfer() {
        return transfer;
    }

    /** Resets the progress of an earlier launch. */
    void forget() {
        next = first;
    }

    /** Chunks that have moved on this lane. */
    long moved() {
        return (next - first) / stride;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        next = first;
    }

    @Override
    public long bytes(long from, long to) {
        long last = first + (chunks - 1 - first) / stride * stride; // every lane of a transfer has a chunk
        return (last - first) / stride * payloadBytes + bytesOf(last);
    }

    private long bytesOf(long chunk) {
        return Math.min(payloadBytes, transfer.bytes() - chunk * payloadBytes);
    }

    @Override
    public int advance(StepContext context) {
        long chunk = next;
        while (chunk < chunks) {
            if (context.exhausted()) {
                return PAUSED;
            }
            long bytes = bytesOf(chunk);
            if (!move(lane, transfer.address() + chunk * payloadBytes, bytes, chunk == 0)) {
                return BLOCKED;
            }
            context.handled(Math.max(1, bytes));
            chunk += stride;
            next = chunk;
        }
        return ENDED;
    }

    /**
     * Moves a chunk between memory and the current slot.
     *
     * @param isFirst whether it is the first chunk of its transfer
     * @return false if the slot is not available yet
     */
    abstract boolean move(TransferLane through, long address, long bytes, boolean isFirst);
}
