package org.mscclj.spi.transfer;

/**
 * What the lanes of a window are for, whose ranks are on several nodes, and how a get is asked for. Windows of one node
 * have the first lane alone.
 *
 * <p>On the lane of signals, the slots that a port channel copies from hold what is put. On the lane of gets from rank
 * {@code o} to rank {@code g}, the sender {@code o} is the owner of the memory, and {@code g} gets: to ask, {@code g}
 * writes a request into the header of the next of its slots, {@linkplain TransferLanes#inboxSlot at the receiver},
 * copies it to the slot of the same number {@linkplain TransferLanes#outboxSlot at the sender}, and signals. To answer,
 * {@code o} writes from the window's memory to the payload of {@code g}'s slot, and signals. Both take the slots by
 * turns; {@code g} never asks for more than there are slots, those counted that were answered and not emptied.
 */
public final class WindowLanes {
    /** The lane of signals, and of puts. */
    public static final int SIGNALS = 0;

    /** The lane of gets. */
    public static final int GETS = 1;

    /** How many there are between nodes. */
    public static final int COUNT = 2;

    /** Offset, in a slot, of the word that says where in the owner's memory the bytes are. */
    public static final long REQUEST_OFFSET = 0;

    /** Offset, in a slot, of the word that says how many bytes are wanted: 1 to {@link TransferLanes#payloadBytes}. */
    public static final long REQUEST_SIZE = Long.BYTES;

    /** Bytes of a request. */
    public static final long REQUEST_BYTES = 2L * Long.BYTES;

    private WindowLanes() {}
}
