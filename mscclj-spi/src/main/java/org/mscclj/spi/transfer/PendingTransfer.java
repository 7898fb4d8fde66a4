package org.mscclj.spi.transfer;

/**
 * A part of a launch that has not ended yet, because of another rank.
 *
 * @param peer the other rank
 * @param description describes it, for example "send 64 bytes to rank 1 (0 of 1 chunks moved)"
 */
public record PendingTransfer(int peer, String description) {
    /** A send or receive whose progress is not known. */
    public static PendingTransfer of(Transfer transfer) {
        return new PendingTransfer(transfer.peer(), transfer.toString());
    }

    /**
     * A send or receive.
     *
     * @param chunksMoved chunks that this rank has written into slots, or read from them
     * @param chunks number of all chunks
     */
    public static PendingTransfer of(Transfer transfer, long chunksMoved, long chunks) {
        return new PendingTransfer(transfer.peer(), transfer + " (" + chunksMoved + " of " + chunks + " chunks moved)");
    }

    /** A signal. */
    public static PendingTransfer of(TransferSpec.Signal signal) {
        return new PendingTransfer(signal.peer(), signal.toString());
    }

    /**
     * An access to another rank's memory.
     *
     * @param bytesMoved number of bytes that have been stored at their destination
     */
    public static PendingTransfer of(RemoteAccess access, long bytesMoved) {
        return new PendingTransfer(access.peer(), access + " (" + bytesMoved + " bytes moved)");
    }

    /** The description, for messages. */
    @Override
    public String toString() {
        return description;
    }
}
