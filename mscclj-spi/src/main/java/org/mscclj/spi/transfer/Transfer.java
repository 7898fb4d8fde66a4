package org.mscclj.spi.transfer;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * A send or a receive of this rank.
 *
 * @param sends whether this rank sends it, or receives it
 * @param peer the rank at the other end
 * @param address address of the bytes to send, or of the destination of a receive, on this rank's device
 * @param bytes its size in bytes, which both ends must know
 */
public record Transfer(boolean sends, int peer, long address, long bytes) {
    /** Checks the size. */
    public Transfer {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size of a message", bytes + " bytes", "0 or more");
        }
    }

    /** Its name in traces, without its size: for example "send to rank 1". */
    public String label() {
        return (sends ? "send to rank " : "receive from rank ") + peer;
    }

    /** For messages, for example "send 64 bytes to rank 1". */
    @Override
    public String toString() {
        return (sends ? "send " : "receive ") + bytes + " bytes " + (sends ? "to" : "from") + " rank " + peer;
    }
}
