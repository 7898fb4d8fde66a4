package org.mscclj.api.channel;

import java.time.Duration;
import org.mscclj.api.error.UnsupportedException;

/**
 * What memory and port channels share: signalling. Every signal is answered by exactly one wait, in order.
 *
 * <p>On the host backend the calling thread carries out each operation. One thread at a time may use a channel, except
 * that any may close it, when no other uses it. On GPUs kernels of users use channels, by their
 * {@linkplain #deviceHandle handles}.
 *
 * <p>Every operation throws {@link org.mscclj.api.error.InvalidArgumentException}, and does nothing, if the channel is
 * closed, or if a size, an offset, or anything else that it is given is not allowed. What waits, for a peer or for
 * room, throws {@link org.mscclj.api.error.AbortedException} once the communicator is aborted; what does not wait need
 * not.
 */
public interface Channel extends AutoCloseable {
    /**
     * Raises the peer's counter by one. Whoever sees it by {@link #await} or {@link #poll} also sees everything that
     * this thread wrote before, through this channel and directly.
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

    /**
     * The address, on the device, of the structure by which kernels use this channel: {@code mscclj::MemoryChannel} or
     * {@code mscclj::PortChannel} of the device library, to be given to a {@link org.mscclj.api.device.DeviceKernel}.
     * The same at each call. Valid until the channel is closed, and so is what kernels do with it: they must have ended
     * before.
     *
     * <p>From the first call on kernels wait for the channel's signals, and {@link #poll} and {@link #await} throw
     * {@link org.mscclj.api.error.InvalidArgumentException}: the counts of both would differ.
     *
     * @throws UnsupportedException if kernels cannot use channels of this backend, or this channel
     */
    default long deviceHandle() {
        throw new UnsupportedException(
                "kernels cannot use this channel (DEVICE_CHANNELS); call its operations from threads of the host");
    }

    /**
     * Throws why waits of kernels for the peer end without what they wait for; returns while nothing ends them. To be
     * called when such a wait has given {@code false}. What the peer has sent before it closed its communicator is
     * received nevertheless. Does not block.
     *
     * @throws org.mscclj.api.error.RankLostException if the peer has closed its communicator, which is not aborted by
     *     that; or if the communicator has lost a rank
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     * @throws UnsupportedException if the channel was not made by a communicator, and knows nothing of the peer
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
