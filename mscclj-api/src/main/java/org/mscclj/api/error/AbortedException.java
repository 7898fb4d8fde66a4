package org.mscclj.api.error;

/** The communicator was aborted or closed; operations that were in flight have undefined results. */
public final class AbortedException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** An exception whose message names the rank that aborted, and the reason. */
    public AbortedException(String message) {
        super(message);
    }

    /** Like {@link #AbortedException(String)}, with the cause of the abort. */
    public AbortedException(String message, Throwable cause) {
        super(message, cause);
    }
}
