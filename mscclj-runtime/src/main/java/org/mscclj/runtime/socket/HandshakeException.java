package org.mscclj.runtime.socket;

import java.io.IOException;

/** The other side of a connection is no rank of this group, or does not behave like one. */
public final class HandshakeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean member;

    /** What was wrong. */
    public HandshakeException(String message) {
        this(message, false);
    }

    private HandshakeException(String message, boolean member) {
        super(message);
        this.member = member;
    }

    /** What was wrong with a peer that has proved to know the secret. */
    public static HandshakeException ofMember(String message) {
        return new HandshakeException(message, true);
    }

    /**
     * Whether the peer has proved to know the secret. What is wrong with it explains more than what is wrong with a
     * stranger.
     */
    boolean isOfMember() {
        return member;
    }
}
