package org.mscclj.api.hook;

import java.util.List;

/**
 * A hook receives the events of a communicator on its rank. Methods around operations run in the launching thread and
 * block it while they run; they must not call the communicator. Exceptions of a hook are logged, and have no other
 * effect.
 */
public interface CommunicatorHook {
    /**
     * An operation is about to be enqueued.
     *
     * @param operation the description of the operation; one object for all launches of a prepared operation
     */
    default void beforeOperation(OperationDescription operation) {}

    /**
     * An operation has been enqueued. Not called if enqueueing failed.
     *
     * @param sequence as {@link org.mscclj.api.Work#sequence}; 0 if the operation was captured into a graph
     */
    default void afterOperation(OperationDescription operation, long sequence) {}

    /**
     * A graph with launches of this communicator is being launched. Not called for graphs that other software launches.
     *
     * @param sequence the replay's position among the launches that all ranks of the communicator make, as
     *     {@link org.mscclj.api.Work#sequence}. For a graph with several such launches, which have a position each on
     *     some devices, it is the position of the first launch; for a graph with point-to-point calls alone, it is the
     *     position of the last launch of all ranks before
     */
    default void onReplay(long sequence) {}

    /**
     * The communicator was aborted, or has lost a rank. Called once, in a thread of its own.
     *
     * @param reason the reason
     */
    default void onAbort(String reason) {}

    /**
     * This rank has taken part in a split. Called in the thread that splits, once the child is open.
     *
     * @param ranks the ranks of the child, as ranks of the communicator that was split; empty if this rank is in no
     *     child
     * @param child the child's name; the child has no hooks yet
     */
    default void onSplit(List<Integer> ranks, String child) {}

    /**
     * This rank has opened a window. Called in the thread that opens it, once it is open on all ranks.
     *
     * @param bytes size of this rank's memory in it, in bytes
     */
    default void onWindow(long bytes) {}

    /** This rank closes the communicator. Called once, in the thread that closes it, before anything is freed. */
    default void onClose() {}
}
