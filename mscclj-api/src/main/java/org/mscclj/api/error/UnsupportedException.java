package org.mscclj.api.error;

/** The request is well formed, but no installed provider can do it; the message names the capability. */
public final class UnsupportedException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** What is missing, where, and what would provide it. */
    public UnsupportedException(String message) {
        super(message);
    }

    /** What is missing, where, and what would provide it; the cause is what failed for want of it. */
    public UnsupportedException(String message, Throwable cause) {
        super(message, cause);
    }
}
