package org.mscclj.api.channel;

import java.time.Duration;

/**
 * A channel whose data a host-side proxy moves. The proxy carries out queued operations in order. After {@link #flush}
 * the sources of all earlier puts have been read. Data is visible to a thread that has waited for a later signal of
 * this channel. Sizes and offsets have 64 bits.
 *
 * <p>Operations wait only if the queue is full, at most for the communicator's timeout; then they throw
 * {@link org.mscclj.api.error.OperationTimeoutException}.
 */
public interface PortChannel extends Channel {
    /** Queues a copy from origin to target. The origin is in use until {@link #flush}. */
    void put(long targetOffset, long originOffset, long bytes);

    /** Queues a copy and, after it, a signal. */
    void putWithSignal(long targetOffset, long originOffset, long bytes);

    /** {@link #putWithSignal}, then {@link #flush}. */
    void putWithSignalAndFlush(long targetOffset, long originOffset, long bytes, Duration timeout);

    /**
     * Waits until the sources of all earlier puts have been read.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if that takes longer
     */
    void flush(Duration timeout);
}
