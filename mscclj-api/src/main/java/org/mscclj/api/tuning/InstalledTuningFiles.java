package org.mscclj.api.tuning;

import org.mscclj.api.service.InstalledService;

/** Holds the service, looked up on first use. */
final class InstalledTuningFiles {
    static final InstalledService<TuningFiles> FILES = new InstalledService<>(
            TuningFiles.class,
            "no mscclj runtime is installed; add org.mscclj:mscclj-runtime to the class path or module path");

    private InstalledTuningFiles() {}
}
