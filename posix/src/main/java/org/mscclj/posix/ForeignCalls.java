package org.mscclj.posix;

/** What calls of functions in C have in common. */
public final class ForeignCalls {
    private ForeignCalls() {}

    /**
     * What a call through a method handle has thrown. Handles declare everything, and only what is unchecked can come
     * out of those of functions in C.
     */
    public static RuntimeException rethrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }
}
