package org.mscclj.runtime.socket;

/** Purpose of a connection. It is a part of every proof, so that a proof for one purpose is worthless for another. */
public enum Purpose {
    /** A rank connects to rank 0 for the rendezvous. */
    RENDEZVOUS(1),
    /** A rank connects to another rank, whose address it has received from rank 0. */
    CONTROL(2),
    /** A process connects to the server of a store. */
    STORE(3);

    private final byte code;

    Purpose(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }
}
