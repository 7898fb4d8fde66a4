package org.mscclj.spi.transfer;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * A put or get of a window whose memory this rank's device does not reach: it is on another node.
 *
 * @param lanes the lanes of the context, {@link WindowLanes#COUNT} of each pair
 * @param puts whether this rank writes to the peer's memory, or reads it
 * @param peer the rank that owns the memory
 * @param address address of the source of a put, or of the destination of a get, on this rank's device
 * @param bytes number of bytes, 1 or more
 * @param offset offset in the peer's memory, in bytes; the range lies inside it
 * @param memoryId first memory id of the peer's memory, in the rings of this context's port channels; −1 for a get,
 *     which the peer answers
 */
public record RemoteAccess(
        TransferLanes lanes, boolean puts, int peer, long address, long bytes, long offset, int memoryId) {
    /** Checks the size. */
    public RemoteAccess {
        if (bytes < 1 || offset < 0) {
            throw InvalidArgumentException.of(
                    "range of an access", bytes + " bytes at offset " + offset, "1 byte or more, at 0 or more");
        }
    }

    /** Its name in traces, without its size: for example "put to rank 1". */
    public String label() {
        return (puts ? "put to rank " : "get from rank ") + peer;
    }

    /** For messages, for example "put 64 bytes to rank 1 at offset 0". */
    @Override
    public String toString() {
        return (puts ? "put " : "get ") + bytes + " bytes " + (puts ? "to" : "from") + " rank " + peer + " at offset "
                + offset;
    }
}
