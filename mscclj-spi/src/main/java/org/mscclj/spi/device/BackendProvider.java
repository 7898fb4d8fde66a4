package org.mscclj.spi.device;

import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;

/** Describes a device backend. */
public interface BackendProvider extends Provider {
    /** The capabilities that the backend declares on this machine. */
    Capabilities capabilities();

    /**
     * Whether several ranks of a communicator may have the same device. If not, each rank needs a device of its own,
     * and a host has at most as many ranks as devices.
     */
    default boolean sharesDevices() {
        return true;
    }

    /**
     * Opens the backend.
     *
     * @param options the requirements of the group that uses the backend
     * @throws org.mscclj.api.error.UnsupportedException if {@link #probe} returns that it cannot be used
     */
    Backend open(BackendOptions options);
}
