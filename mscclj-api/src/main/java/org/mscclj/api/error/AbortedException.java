package org.mscclj.api.error;

/** The communicator was aborted or closed; whatever was in flight on it has undefined results. */
public final class AbortedException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** Who aborted, and why. */
    public AbortedException(String message) {
        super(message);
    }

    /** Like {@link #AbortedException(String)}, with what made somebody abort. */
    public AbortedException(String message, Throwable cause) {
        super(message, cause);
    }
}
