package org.mscclj.runtime.resource;

import java.util.List;
import org.mscclj.api.error.BackendException;

/** Closes resources that were opened together, in reverse order. */
public final class Resources {
    private Resources() {}

    /**
     * Closes all resources, also if some fail. Throws the first failure, with the others suppressed in it. An error is
     * thrown unchanged.
     */
    public static void close(List<? extends AutoCloseable> resources) {
        Throwable failure = null;
        for (AutoCloseable resource : resources.reversed()) {
            try {
                resource.close();
            } catch (Throwable e) { // the resources before it must not stay open
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) { // an exception cannot suppress itself
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

    /** Closes all resources because of a failure. Failures of closing are added to it as suppressed exceptions. */
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
