package org.mscclj.runtime.execution;

/** What closing a buffer means to an operation that is prepared for it. */
public enum BufferHold {
    /** It cannot be closed before the operation. */
    UNTIL_CLOSED,
    /** It can be closed when no launch is in flight, which closes the operation too. */
    IN_FLIGHT
}
