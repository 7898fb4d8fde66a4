package org.mscclj.runtime.execution.operation;

/** How a prepared operation reacts when the owner of one of its buffers closes the buffer. */
public enum BufferHold {
    /** The buffer cannot be closed before the operation. */
    UNTIL_CLOSED,
    /** The buffer can be closed when no launch is in flight. Closing it closes the operation, too. */
    IN_FLIGHT
}
