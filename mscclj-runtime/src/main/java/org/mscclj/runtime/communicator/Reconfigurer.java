package org.mscclj.runtime.communicator;

import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;

/** Makes communicators of other memberships, whatever has become of the old one. */
@FunctionalInterface
public interface Reconfigurer {
    /**
     * This rank's communicator of a quorum; see {@link Communicator#reconfigure}.
     *
     * @param rank this rank in the old communicator
     */
    Communicator with(Quorum quorum, int rank);
}
