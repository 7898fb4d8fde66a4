package org.mscclj.api;

import java.time.Duration;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;

/**
 * An operation that is prepared once and launched any number of times. Launching and joining allocate nothing, in any
 * thread. Every launch must be made by all ranks, in the same order relative to the communicator's other launches.
 *
 * <p>Used by one thread at a time, except for {@link #isCompleted}.
 */
public interface PreparedOperation extends AutoCloseable {
    /** Enqueues one launch on the communicator's stream, as {@link #launch(Stream)} does. */
    default void launch() {
        launch(defaultStream());
    }

    /**
     * Enqueues one launch. Does not wait for its end. While hundreds of launches of the communicator are in flight,
     * this method may wait until one of them or the communicator has ended.
     */
    void launch(Stream stream);

    /**
     * Launches once and joins. Where the device is the host, the calling thread carries out the rank's work itself. If
     * the timeout is longer than the communicator's, this rank's watchdog applies it to the launch.
     */
    void run(Duration timeout);

    /** Whether all launches made so far have ended. */
    boolean isCompleted();

    /**
     * Blocks until all launches made so far have ended; throws as {@link Work#join(Duration)} does.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if it takes longer
     */
    void join(Duration timeout);

    /**
     * The last launch made so far, as {@code execute} returns one: to order a stream after it, for a future, or for its
     * sequence number. The result stays that launch when other launches follow. {@link Work#join()} of it uses the
     * timeout of this operation's call, else the communicator's. This method allocates an object, which launching does
     * not; captured launches do not count. Only the launching thread may call this method; any thread may use the
     * result, also after this operation is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if nothing was launched yet
     * @throws UnsupportedException if the launches do not belong to a communicator of mscclj, as where another library
     *     is measured
     */
    default Work lastLaunch() {
        throw new UnsupportedException(
                algorithm() + ": its launches cannot be distinguished; join them all, or synchronize their stream");
    }

    /** The name of the plan, or of the algorithm that a collective uses. */
    String algorithm();

    /** The stream that {@link #launch()} uses. */
    Stream defaultStream();

    /**
     * Waits for launches in flight and frees the resources that only this operation uses. An interrupt does not shorten
     * the wait. If launches have not ended after the communicator's timeout, for example because a peer did not make
     * them, the communicator is aborted to end them. Idempotent.
     */
    @Override
    void close();
}
