package org.mscclj.api;

import java.util.ServiceLoader;
import org.mscclj.api.error.UnsupportedException;

/** Holds the runtime, looked up once, on first use. */
final class InstalledPlatform {
    static final Platform INSTANCE = ServiceLoader.load(Platform.class, Platform.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new UnsupportedException(
                    "no mscclj runtime is installed; add org.mscclj:mscclj-runtime and a backend, for example"
                            + " org.mscclj:mscclj-backend-host, to the class path or module path"));

    private InstalledPlatform() {}
}
