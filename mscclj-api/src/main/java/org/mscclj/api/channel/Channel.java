package org.mscclj.api.channel;

import java.time.Duration;
import org.mscclj.api.error.UnsupportedException;

/**
 * The signalling that memory and port channels share. Every signal is matched by exactly one wait, in order.
 *
 * <p>On the host backend the calling thread carries out each operation. One thread at a time may use a channel; any
 * thread may close it while no other thread uses it. On GPUs the application's kernels use channels, by their
 * {@linkplain #deviceHandle handles}.
 *
 * <p>Every operation throws {@link org.mscclj.api.error.InvalidArgumentException}, and does nothing, if the channel is
 * closed, or if a size, an offset, or another argument is not allowed. An operation that waits, for a peer or for queue
 * capacity, throws {@link org.mscclj.api.error.AbortedException} once the communicator is aborted; an operation that
 * does not wait need not throw.
 */
public interface Channel extends AutoCloseable {
    /**
     * Raises the peer's counter by one, with release semantics: a peer thread that observes the signal by
     * {@link #await} or {@link #poll} also sees everything that this thread wrote before, through this channel and
     * directly.
     */
    void signal();

    /**
     * Whether the next signal has arrived. If so, this call consumes it like a wait, with acquire semantics. Does not
     * block.
     */
    boolean poll();

    /**
     * Waits for the next signal, with acquire semantics.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if none arrives in time; the message names the peer
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     */
    void await(Duration timeout);

    /**
     * The address, on the device, of the structure by which kernels use this channel: {@code mscclj::MemoryChannel} or
     * {@code mscclj::PortChannel} of the device library, to be passed to a {@link org.mscclj.api.device.DeviceKernel}.
     * Every call returns an equal address. It is valid until the channel is closed; kernels that use it must have ended
     * before.
     *
     * <p>From the first call on, kernels wait for the channel's signals, and {@link #poll} and {@link #await} throw
     * {@link org.mscclj.api.error.InvalidArgumentException}: the counts of the host and of the kernels would differ.
     *
     * @throws UnsupportedException if kernels cannot use channels of this backend, or this channel
     */
    default long deviceHandle() {
        throw new UnsupportedException(
                "kernels cannot use this channel (DEVICE_CHANNELS); call its operations from threads of the host");
    }

    /**
     * Throws the reason why kernels' waits for the peer have ended without a signal or data; returns if there is no
     * such reason. Call this method after such a wait has returned {@code false}. Data that the peer sent before it
     * closed its communicator is still received. Does not block.
     *
     * @throws org.mscclj.api.error.RankLostException if the peer has closed its communicator, which does not abort this
     *     one; or if the communicator has lost a rank
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     * @throws UnsupportedException if the channel does not belong to a communicator, and cannot observe the peer
     */
    default void checkWaits() {
        throw new UnsupportedException(
                "this channel was not made by a communicator, and does not know what its peer does; ask a channel of"
                        + " Communicator.channels()");
    }

    /** Frees the channel, not its semaphore or memory. Idempotent. */
    @Override
    void close();
}
