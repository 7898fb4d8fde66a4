package org.mscclj.spi.engine;

import java.util.List;
import org.mscclj.api.device.Stream;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * A compiled launch, which a device runs any number of times. No method allocates, in any thread, except
 * {@link #close}.
 */
public interface PreparedLaunch extends AutoCloseable {
    /**
     * Enqueues one launch.
     *
     * @param stream a stream of this device
     * @param callerJoins whether the calling thread is about to {@link #await} it, so that no other thread needs to be
     *     woken
     * @return its ticket in the {@linkplain LaunchOrder order} of its communicator; 0 if it was captured, so that it
     *     runs only in replays. Its number among the launches of this object is {@link #enqueued} until the next one
     */
    long enqueue(Stream stream, boolean callerJoins);

    /** Number of launches enqueued, without captured ones. */
    long enqueued();

    /**
     * Whether launch {@code number} has ended, successfully or because of an abort; acquires. Never aborts the
     * communicator, so that code that aborts the communicator may call it.
     */
    boolean isEnded(long number);

    /**
     * Like {@link #isEnded}, for callers that treat an end as a success unless the communicator is aborted: if the
     * device has found that the launch failed, this method aborts the communicator before it returns, as {@link #await}
     * does. Code that aborts the communicator never calls it.
     */
    default boolean isCompleted(long number) {
        return isEnded(number);
    }

    /**
     * Blocks until launch {@code number} has ended; the calling thread may carry out work meanwhile.
     *
     * @return false if {@code nanos} passed first
     */
    boolean await(long number, long nanos);

    /**
     * Orders work that is enqueued on the stream from now on after launch {@code number}. Does not block; may allocate.
     */
    void orderAfter(long number, Stream stream);

    /**
     * The sends, receives and signals of the launch in flight that have not ended yet, for messages about timeouts; may
     * be out of date when it returns. Any thread may call it, but never during {@link #close} or after it. It neither
     * blocks nor calls a driver.
     */
    default List<PendingTransfer> pending() {
        return List.of();
    }

    /**
     * Like {@link #pending}, for a replay in flight. Called only while a replay of a graph with this launch has not
     * ended; empty if the replay has not reached this launch, or is past it.
     */
    default List<PendingTransfer> pendingOfReplay() {
        return List.of();
    }

    /**
     * Sets the listener that is notified of replays of graphs that capture this launch from now on. Initially there is
     * none.
     */
    default void listenToReplays(ReplayListener listener) {}

    /**
     * Refuses launches from now on: {@link #enqueue} throws. Called before {@link #close}, which may follow much later,
     * when no graph contains this launch.
     */
    default void refuse() {}

    /**
     * Whether a live graph, of mscclj or of other software, contains this launch. Then its resources may not be freed,
     * unless its context {@linkplain EngineContext#refuseReplays refuses} replays.
     */
    default boolean isCaptured() {
        return false;
    }

    /** Frees the resources that only this launch uses; launches must have ended. Idempotent. */
    @Override
    void close();
}
