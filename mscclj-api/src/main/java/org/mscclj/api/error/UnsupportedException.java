package org.mscclj.api.error;

/** The request is well formed, but no installed provider can do it; the message names the capability. */
public final class UnsupportedException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** An exception whose message states the missing capability, where it is missing, and what would provide it. */
    public UnsupportedException(String message) {
        super(message);
    }

    /** Like {@link #UnsupportedException(String)}, with the failure that the missing capability caused. */
    public UnsupportedException(String message, Throwable cause) {
        super(message, cause);
    }
}
