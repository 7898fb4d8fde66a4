package org.mscclj.runtime.communicator;

import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.spi.engine.AbortFlag;

/**
 * A place where ranks agree on a communicator of their own, without the communicator that they come from. It outlives
 * the attempts to create that communicator, so that all ranks number the attempts alike.
 *
 * @param control the control plane of the ranks that meet; they have the numbers that they will have in their
 *     communicator
 * @param abort set if one of these ranks is lost
 * @param splitter creates communicators of these ranks
 * @param departure ends the participation of this rank
 */
public record Meeting(ControlPlane control, AbortFlag abort, Splitter splitter, Runnable departure)
        implements AutoCloseable {
    /**
     * Ends the meeting for all ranks: other ranks may be waiting here for this rank, or may already be setting up a
     * communicator because they think that this rank has agreed to it.
     */
    void giveUp() {
        abort.lose(control.rank(), "it has closed its communicator, or gone on in another one");
        close();
    }

    /** Ends the participation of this rank. The other ranks go on if they no longer need it. */
    @Override
    public void close() {
        departure.run();
    }
}
