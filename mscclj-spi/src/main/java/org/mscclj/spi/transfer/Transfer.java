package org.mscclj.spi.transfer;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * One end of a message between two ranks.
 *
 * @param sends whether this rank sends it, or receives it
 * @param peer the rank at the other end
 * @param address where its bytes are, or shall be, on this rank's device
 * @param bytes its size, which both ends must know
 */
public record Transfer(boolean sends, int peer, long address, long bytes) {
    /** Checks the size. */
    public Transfer {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size of a message", bytes + " bytes", "0 or more");
        }
    }

    /** What it is called in traces, whatever its size: for example "send to rank 1". */
    public String label() {
        return (sends ? "send to rank " : "receive from rank ") + peer;
    }

    /** For messages, for example "send 64 bytes to rank 1". */
    @Override
    public String toString() {
        return (sends ? "send " : "receive ") + bytes + " bytes " + (sends ? "to" : "from") + " rank " + peer;
    }
}
