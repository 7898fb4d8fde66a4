package org.mscclj.backend.host.schedule;

import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.ReplayListener;

/** A launch of a communicator that graphs may contain. */
public interface CapturedHostLaunch {
    /** The order of its communicator's launches. */
    LaunchOrder order();

    /** Whether only some ranks make it, as with point-to-point calls. */
    boolean isOfSomeRanks();

    /** Takes the next ticket of the order, for one run of {@link #command}. Allocates nothing. */
    long takeTicket();

    /** The command of a run, which has a ticket. Every call returns one object. */
    Command command();

    /** The listener that is notified of replays of launches captured now. */
    ReplayListener replayListener();

    /** Counts one more graph that contains it. */
    void hold();

    /** Undoes {@link #hold}. */
    void drop();

    /**
     * Registers a replay of a graph that contains it, before it is enqueued. Allocates nothing.
     *
     * @throws org.mscclj.api.error.MsccljException if it may not be launched any more; the message has the reason
     */
    void beginReplay();

    /** Registers the end of the replay, or that it could not be enqueued. */
    void endReplay();
}
