package org.mscclj.api.service;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;

/**
 * A service of this module that another artifact provides. The first successful search keeps the service. A search that
 * fails throws, and so does every later one; a failed static initializer would throw {@link NoClassDefFoundError}
 * instead, whose message gives no reason. Safe for use by several threads.
 *
 * @param <S> the service
 */
public final class InstalledService<S> {
    private final Class<S> type;
    private final String missing;
    private volatile @Nullable S found;

    /**
     * Creates the holder; does not search yet.
     *
     * @param type the service, which this module uses
     * @param missing the message if no service is installed: the artifact to add, and where to add it
     */
    public InstalledService(Class<S> type, String missing) {
        this.type = type;
        this.missing = missing;
    }

    /**
     * The service.
     *
     * @throws UnsupportedException if there is none, or if it cannot be loaded
     */
    public S find() {
        S known = found;
        if (known == null) {
            known = load();
            found = known;
        }
        return known;
    }

    private synchronized S load() {
        S known = found;
        if (known != null) {
            return known;
        }
        try {
            return ServiceLoader.load(type, type.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new UnsupportedException(missing));
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new UnsupportedException(
                    "what is installed cannot be loaded: " + e
                            + "; check that all artifacts of org.mscclj, and the libraries that they need, are there in"
                            + " matching versions",
                    e);
        }
    }
}
