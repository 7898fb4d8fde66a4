package org.mscclj.spi.fallback;

import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/** Describes a library of collectives. */
public interface FallbackProvider extends Provider {
    /** What the library declares that it can do here. */
    Capabilities capabilities();

    /** Whether it can work on memory of this device. */
    boolean supports(BackendDevice device);

    /** First rank: what all ranks open the communicator with, for example an ncclUniqueId. */
    byte[] createId();

    /**
     * Every rank: opens the communicator. Collective: blocks until all ranks have called, each on a platform thread of
     * its own.
     */
    FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size);
}
