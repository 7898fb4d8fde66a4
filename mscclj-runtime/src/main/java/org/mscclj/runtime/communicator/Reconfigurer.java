package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.spi.engine.AbortFlag;

/** Makes communicators of other memberships, whatever has become of the old one. */
@FunctionalInterface
public interface Reconfigurer {
    /**
     * This rank's communicator of a quorum; see {@link Communicator#reconfigure}.
     *
     * @param rank this rank in the old communicator
     * @param timeout how long this rank waits for others in all, the rendezvous included
     * @param forming given the abort word of the new communicator, before that is set up
     */
    Communicator with(Quorum quorum, int rank, Duration timeout, Consumer<AbortFlag> forming);
}
