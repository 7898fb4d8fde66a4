package org.mscclj.api.service;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;

/**
 * A service of this module that another artifact provides. The first call that finds it keeps it. A call that does not
 * find it throws, and so does the next one: a static initializer would throw {@link NoClassDefFoundError} then, which
 * says nothing. Safe for use by several threads.
 *
 * @param <S> the service
 */
public final class InstalledService<S> {
    private final Class<S> type;
    private final String missing;
    private volatile @Nullable S found;

    /**
     * Looks for nothing yet.
     *
     * @param type the service, which this module uses
     * @param missing what is said where there is none: what to add, and where
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
