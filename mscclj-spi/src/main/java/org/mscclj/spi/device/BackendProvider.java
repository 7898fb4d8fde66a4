package org.mscclj.spi.device;

import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;

/** Describes a device backend. */
public interface BackendProvider extends Provider {
    /** What the backend declares that it can do here. */
    Capabilities capabilities();

    /**
     * Opens the backend.
     *
     * @param options what the group that uses it needs
     * @throws org.mscclj.api.error.UnsupportedException if {@link #probe} says that it cannot be used
     */
    Backend open(BackendOptions options);
}
