package org.mscclj.spi.fallback;

import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/** Describes a fallback: a library of collectives. */
public interface FallbackProvider extends Provider {
    /** The capabilities that the library declares on this machine. */
    Capabilities capabilities();

    /** Whether the library works on memory of this device. */
    boolean supports(BackendDevice device);

    /**
     * Creates the id with which all ranks open the communicator, for example an ncclUniqueId. Called on the first rank.
     */
    byte[] createId();

    /**
     * Opens the communicator of a rank. Collective: blocks until all ranks have called, each on a platform thread of
     * its own.
     */
    FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size);
}
