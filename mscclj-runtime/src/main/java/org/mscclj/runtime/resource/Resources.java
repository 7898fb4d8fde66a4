package org.mscclj.runtime.resource;

import java.util.List;
import org.mscclj.api.error.BackendException;

/** Closes what was opened together, last first. */
public final class Resources {
    private Resources() {}

    /**
     * Closes all, also if some fail; throws the first failure, the others suppressed in it. Of an error nothing is made
     * but that.
     */
    public static void close(List<? extends AutoCloseable> resources) {
        Throwable failure = null;
        for (AutoCloseable resource : resources.reversed()) {
            try {
                resource.close();
            } catch (Throwable e) { // what comes before must not stay open
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) { // nothing is suppressed in itself
                    failure.addSuppressed(e);
                }
            }
        }
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new BackendException("closing failed: " + failure.getMessage(), failure);
        }
    }

    /** Closes all because of a failure, to which their own are added. */
    public static void closeSuppressing(List<? extends AutoCloseable> resources, Throwable failure) {
        try {
            close(resources);
        } catch (RuntimeException | Error e) {
            if (!failure.equals(e)) {
                failure.addSuppressed(e);
            }
        }
    }
}
