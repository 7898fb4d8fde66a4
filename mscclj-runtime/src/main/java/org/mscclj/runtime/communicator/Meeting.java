package org.mscclj.runtime.communicator;

import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Where ranks agree to have a communicator of their own, without the one that they come from. It outlives attempts to
 * make that communicator, so that all ranks count these alike.
 *
 * @param control how those talk who meet; they have the ranks that they will have in their communicator
 * @param abort set if one of them is lost
 * @param splitter makes communicators of them
 * @param departure says that this rank takes no part any more
 */
public record Meeting(ControlPlane control, AbortFlag abort, Splitter splitter, Runnable departure)
        implements AutoCloseable {
    /**
     * Ends it for all: others may be waiting here for this rank, or be setting up already what they think it has agreed
     * to.
     */
    void giveUp() {
        abort.lose(control.rank(), "it has closed its communicator, or gone on in another one");
        close();
    }

    /** Says that this rank takes no part any more. Others go on if they need it no longer. */
    @Override
    public void close() {
        departure.run();
    }
}
