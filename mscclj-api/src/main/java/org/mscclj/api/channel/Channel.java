package org.mscclj.api.channel;

import java.time.Duration;

/**
 * What memory and port channels share: signalling. Every signal is answered by exactly one wait, in order.
 *
 * <p>On the host backend the calling thread carries out each operation. One thread at a time may use a channel.
 */
public interface Channel extends AutoCloseable {
    /**
     * Raises the peer's counter by one. Whoever sees it by {@link #await} or {@link #poll} also sees everything that this
     * thread wrote before, through this channel and directly.
     */
    void signal();

    /** Whether the next signal has arrived; if so, it counts as waited for, and acquires. Does not block. */
    boolean poll();

    /**
     * Waits for the next signal, and acquires.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if none arrives in time; names the peer
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     */
    void await(Duration timeout);

    /** Frees the channel, not its semaphore or memory. Idempotent. */
    @Override
    void close();
}
