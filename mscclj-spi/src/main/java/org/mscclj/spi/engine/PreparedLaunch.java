package org.mscclj.spi.engine;

import java.util.List;
import org.mscclj.api.device.Stream;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * Something that a device can launch, any number of times. Nothing here allocates, in any thread, except
 * {@link #close}.
 */
public interface PreparedLaunch extends AutoCloseable {
    /**
     * Enqueues one launch.
     *
     * @param stream a stream of this device
     * @param callerJoins whether the calling thread is about to {@link #await} it, so that no other needs waking
     * @return its ticket in the {@linkplain LaunchOrder order} of its communicator; 0 if it was captured, so that it
     *     runs only in replays. Its number among the launches of this object is {@link #enqueued} until the next one
     */
    long enqueue(Stream stream, boolean callerJoins);

    /** Number of launches enqueued, without captured ones. */
    long enqueued();

    /**
     * Whether launch {@code number} has ended, successfully or because of an abort; acquires. Aborts nothing: also who
     * aborts the communicator asks.
     */
    boolean isEnded(long number);

    /**
     * The same, for who takes an end for a success unless the communicator is aborted: if the device has found out that
     * the launch went wrong, the communicator is aborted before this returns. As {@link #await} does. Never asked by
     * who aborts the communicator.
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

    /** Orders what is enqueued on the stream from now on after launch {@code number}. Does not block; may allocate. */
    void orderAfter(long number, Stream stream);

    /**
     * The messages of the launch in flight that have not moved yet, for messages about time-outs; may be out of date
     * when it returns. Called by any thread, and never during {@link #close} or after it; neither blocks nor calls a
     * driver.
     */
    default List<PendingTransfer> pending() {
        return List.of();
    }

    /**
     * The messages that have not moved yet of a replay that is in flight; like {@link #pending}. Asked only while a
     * replay of a graph with this launch has not ended; none if the replay has not come to this launch, or is past it.
     */
    default List<PendingTransfer> pendingOfReplay() {
        return List.of();
    }

    /** Says who is told of replays of graphs that have captured this from now on. Until then nobody is. */
    default void listenToReplays(ReplayListener listener) {}

    /**
     * Nothing is enqueued from now on: trying to throws. To be called before {@link #close}, which may come much later,
     * when no graph has launches of this.
     */
    default void refuse() {}

    /**
     * Whether a graph that is alive, of ours or of other software, has a launch of this. Then nothing that it uses may
     * be freed, unless its context {@linkplain EngineContext#refuseReplays refuses} replays.
     */
    default boolean isCaptured() {
        return false;
    }

    /** Frees what only this launch uses; launches must have ended. Idempotent. */
    @Override
    void close();
}
