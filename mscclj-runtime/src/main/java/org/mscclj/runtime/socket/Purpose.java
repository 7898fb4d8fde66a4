package org.mscclj.runtime.socket;

/** What a connection is for. Part of every proof, so that one made for one purpose is worth nothing for the other. */
public enum Purpose {
    /** A rank comes to rank 0. */
    RENDEZVOUS(1),
    /** A rank connects to another whose address rank 0 has told it. */
    CONTROL(2),
    /** A process connects to the one that serves a store. */
    STORE(3);

    private final byte code;

    Purpose(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }
}
