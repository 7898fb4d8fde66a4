package org.mscclj.api;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;

/**
 * The installed mscclj runtime. Applications use {@link LocalGroup}, which calls it; the
 * runtime module provides it as a service.
 */
public interface Platform {
    /** Opens a group of ranks in this JVM; see {@link LocalGroup#open(LocalGroupOptions)}. */
    LocalGroup openLocalGroup(LocalGroupOptions options);

    /** Every device backend that is installed, and whether it can be used, best first. */
    List<ProviderStatus> backends();

    /** Every transport that is installed, and whether it can be used, best first. */
    List<ProviderStatus> transports();

    /**
     * The runtime found by {@link java.util.ServiceLoader}.
     *
     * @throws UnsupportedException if none is installed
     */
    static Platform instance() {
        return InstalledPlatform.INSTANCE;
    }
}
