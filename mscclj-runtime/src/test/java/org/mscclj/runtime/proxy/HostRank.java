package org.mscclj.runtime.proxy;

import java.util.Optional;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/** The host backend, for tests that need a real device. */
public final class HostRank {
    private HostRank() {}

    /** Opens the backend. */
    public static Backend openBackend() {
        return ProviderCatalog.installed("backend", BackendProvider.class)
                .find(Optional.of("host"))
                .open(BackendOptions.threads());
    }
}
