package org.mscclj.spi.transfer;

/**
 * How far a message is that has not moved yet.
 *
 * @param transfer the message
 * @param chunksMoved chunks that this rank has put into slots, or taken out of them; −1 if that is not known
 * @param chunks all of them
 */
public record PendingTransfer(Transfer transfer, long chunksMoved, long chunks) {
    /** In words. */
    @Override
    public String toString() {
        return (transfer.sends() ? "send " : "receive ") + transfer.bytes() + " bytes "
                + (transfer.sends() ? "to" : "from") + " rank " + transfer.peer()
                + (chunksMoved < 0 ? "" : " (" + chunksMoved + " of " + chunks + " chunks moved)");
    }
}
