package org.mscclj.runtime.socket;

import java.io.IOException;

/** Thrown if the other side of a connection is no rank of this group, or does not behave like one. */
public final class HandshakeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean member;

    /** Creates an exception that describes the problem. */
    public HandshakeException(String message) {
        this(message, false);
    }

    private HandshakeException(String message, boolean member) {
        super(message);
        this.member = member;
    }

    /** Creates an exception that describes the problem with a peer that has proved that it knows the secret. */
    public static HandshakeException ofMember(String message) {
        return new HandshakeException(message, true);
    }

    /**
     * Returns whether the peer has proved that it knows the secret. A problem with such a peer explains more than a
     * problem with a stranger.
     */
    boolean isOfMember() {
        return member;
    }
}
