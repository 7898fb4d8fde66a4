package org.mscclj.spi.transfer;

/**
 * Something of a launch that has not ended yet, because of another rank.
 *
 * @param peer the other rank
 * @param words what, for example "send 64 bytes to rank 1 (0 of 1 chunks moved)"
 */
public record PendingTransfer(int peer, String words) {
    /** A message of which it is not known how much has moved. */
    public static PendingTransfer of(Transfer transfer) {
        return new PendingTransfer(transfer.peer(), transfer.toString());
    }

    /**
     * A message.
     *
     * @param chunksMoved chunks that this rank has put into slots, or taken out of them
     * @param chunks all of them
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
     * @param bytesMoved how many bytes have been stored where they belong
     */
    public static PendingTransfer of(RemoteAccess access, long bytesMoved) {
        return new PendingTransfer(access.peer(), access + " (" + bytesMoved + " bytes moved)");
    }

    /** In words. */
    @Override
    public String toString() {
        return words;
    }
}
