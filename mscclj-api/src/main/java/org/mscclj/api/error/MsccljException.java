package org.mscclj.api.error;

/**
 * Everything that mscclj throws on purpose. The permitted subclasses say what an application can do
 * about it; messages say what was given, what is allowed and what to do.
 */
public abstract sealed class MsccljException extends RuntimeException
        permits AbortedException,
                BackendException,
                InvalidArgumentException,
                OperationTimeoutException,
                RankLostException,
                UnsupportedException {
    private static final long serialVersionUID = 1L;

    MsccljException(String message) {
        super(message);
    }

    MsccljException(String message, Throwable cause) {
        super(message, cause);
    }
}
