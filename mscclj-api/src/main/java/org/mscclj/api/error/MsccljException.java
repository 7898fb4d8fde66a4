package org.mscclj.api.error;

/**
 * The base of all exceptions that mscclj throws on purpose. The permitted subclass determines what an application can
 * do; the message states the given value, the allowed values, and the remedy. Names in them may come from files and
 * peers: control characters other than line feeds and tabs are escaped, see {@link PlainText#lines}.
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
        super(PlainText.lines(message));
    }

    MsccljException(String message, Throwable cause) {
        super(PlainText.lines(message), cause);
    }
}
