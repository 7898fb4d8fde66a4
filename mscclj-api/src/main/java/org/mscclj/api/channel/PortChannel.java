package org.mscclj.api.channel;

import java.time.Duration;

/**
 * A channel whose data a host-side proxy moves. Operations are queued and carried out in order; {@link #flush} says
 * that the sources of everything put so far have been read. Data is visible to whoever waits for a later signal of this
 * channel. Sizes and offsets have 64 bits.
 *
 * <p>What is queued waits only if the queue is full, for the communicator's timeout at most: then
 * {@link org.mscclj.api.error.OperationTimeoutException} is thrown.
 */
public interface PortChannel extends Channel {
    /** Queues a copy from origin to target. The origin is in use until {@link #flush}. */
    void put(long targetOffset, long originOffset, long bytes);

    /** Queues a copy and, after it, a signal. */
    void putWithSignal(long targetOffset, long originOffset, long bytes);

    /** {@link #putWithSignal}, then {@link #flush}. */
    void putWithSignalAndFlush(long targetOffset, long originOffset, long bytes, Duration timeout);

    /**
     * Waits until the sources of everything put so far have been read.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if that takes longer
     */
    void flush(Duration timeout);
}
