package org.mscclj.backend.host.schedule;

import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.ReplayListener;

/** A launch of a communicator that graphs may hold. */
public interface CapturedLaunch {
    /** What it is ordered with: the launches of its communicator. */
    LaunchOrder order();

    /** Whether only some ranks make it, as they do messages. */
    boolean isOfSomeRanks();

    /** Takes the next ticket of the order, for one run of {@link #command}. Allocates nothing. */
    long takeTicket();

    /** Carries out one run, to which a ticket belongs. The same object each time. */
    Command command();

    /** Who is told of replays of what is captured now. */
    ReplayListener replayListener();

    /** One more graph holds it. */
    void hold();

    /** Undoes {@link #hold}. */
    void drop();

    /**
     * A graph that holds it is about to be enqueued. Allocates nothing.
     *
     * @throws org.mscclj.api.error.MsccljException if it may not be launched any more, and why
     */
    void beginReplay();

    /** The graph has been carried out, or could not be enqueued. */
    void endReplay();
}
