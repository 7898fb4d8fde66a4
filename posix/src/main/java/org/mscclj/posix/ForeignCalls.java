package org.mscclj.posix;

/** Common code for calls of C functions. */
public final class ForeignCalls {
    private ForeignCalls() {}

    /**
     * Returns the exception that a call through a method handle has thrown. Method handles declare every exception, but
     * those of C functions can only throw unchecked ones.
     */
    public static RuntimeException rethrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }
}
