package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.spi.engine.AbortFlag;

/** Creates communicators of other memberships, also after the old communicator has ended. */
@FunctionalInterface
public interface Reconfigurer {
    /**
     * Creates this rank's communicator of a quorum; see {@link Communicator#reconfigure}.
     *
     * @param rank this rank in the old communicator
     * @param timeout the longest time that this rank waits for other ranks in all, the rendezvous included
     * @param forming receives the abort word of the new communicator, before that communicator is set up
     */
    Communicator with(Quorum quorum, int rank, Duration timeout, Consumer<AbortFlag> forming);
}
