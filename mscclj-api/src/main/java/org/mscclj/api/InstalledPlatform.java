package org.mscclj.api;

import org.mscclj.api.service.InstalledService;

/** Holds the runtime, looked up on first use. */
final class InstalledPlatform {
    static final InstalledService<Platform> RUNTIME = new InstalledService<>(
            Platform.class,
            "no mscclj runtime is installed; add org.mscclj:mscclj-runtime and a backend, for example"
                    + " org.mscclj:mscclj-backend-host, to the class path or module path");

    private InstalledPlatform() {}
}
