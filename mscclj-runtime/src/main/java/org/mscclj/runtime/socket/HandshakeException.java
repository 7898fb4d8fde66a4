package org.mscclj.runtime.socket;

import java.io.IOException;

/** The other side of a connection is no rank of this group, or does not behave like one. */
public final class HandshakeException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What was wrong. */
    public HandshakeException(String message) {
        super(message);
    }
}
