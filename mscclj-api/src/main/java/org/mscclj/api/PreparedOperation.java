package org.mscclj.api;

import java.time.Duration;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;

/**
 * An operation made ready once and launched any number of times. Launching and joining allocate nothing, in any thread.
 * Every launch must be made by all ranks, in the same order relative to the communicator's other launches.
 *
 * <p>Used by one thread at a time, except for {@link #isCompleted}.
 */
public interface PreparedOperation extends AutoCloseable {
    /** Enqueues one launch on the communicator's stream, as {@link #launch(Stream)} does. */
    default void launch() {
        launch(defaultStream());
    }

    /**
     * Enqueues one launch. Does not wait for it; while hundreds of launches of the communicator are in flight it may
     * wait for those, until one has ended or the communicator has.
     */
    void launch(Stream stream);

    /**
     * Launches once and joins; the calling thread carries out the rank's work itself where the device is the host. If
     * the timeout is longer than the communicator's, so long may the launch take before it is late, on this rank.
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
     * The last launch made so far, as {@code execute} gives one: to order a stream after it, for a future, or for its
     * sequence number. What this gives stays that launch when others follow. {@link Work#join()} of it waits as long as
     * the call of this operation says, else as long as the communicator does. Makes an object, which launching does
     * not; launches that are captured do not count. To be asked by the thread that launches; what it gives is for any
     * thread, also when this is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if nothing was launched yet
     * @throws UnsupportedException if launches are not of a communicator of ours, as where another library is measured
     */
    default Work lastLaunch() {
        throw new UnsupportedException(
                algorithm() + ": its launches cannot be told apart; join them all, or synchronize their stream");
    }

    /** What runs: the name of the plan, or of the algorithm that a collective uses. */
    String algorithm();

    /** The stream that {@link #launch()} uses. */
    Stream defaultStream();

    /**
     * Waits for launches in flight and frees what only this operation uses. An interrupt does not cut this short.
     * Launches that have not ended after the communicator's timeout, because a peer did not make them for example, are
     * ended by aborting the communicator. Idempotent.
     */
    @Override
    void close();
}
