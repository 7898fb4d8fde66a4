package org.mscclj.spi.transfer;

/**
 * The lanes of a window whose ranks are on several nodes, and the protocol of a get. Windows of one node have the first
 * lane alone.
 *
 * <p>On the lane of signals, the slots that a port channel copies from hold the data of puts. On the lane of gets from
 * rank {@code o} to rank {@code g}, the sender {@code o} is the owner of the memory, and {@code g} gets. To request
 * data, {@code g} writes a request into the header of the next of its slots, {@linkplain TransferLanes#inboxSlot at the
 * receiver}, copies it to the slot of the same number {@linkplain TransferLanes#outboxSlot at the sender}, and signals.
 * To answer, {@code o} writes from the window's memory to the payload of {@code g}'s slot, and signals. Both use the
 * slots round-robin; {@code g} never has more requests than slots, including answered requests whose slots are not
 * emptied yet.
 */
public final class WindowLanes {
    /** The lane of signals, and of puts. */
    public static final int SIGNALS = 0;

    /** The lane of gets. */
    public static final int GETS = 1;

    /** Number of lanes between nodes. */
    public static final int COUNT = 2;

    /** Offset, in a slot, of the word with the offset of the bytes in the owner's memory. */
    public static final long REQUEST_OFFSET = 0;

    /** Offset, in a slot, of the word with the number of requested bytes: 1 to {@link TransferLanes#payloadBytes}. */
    public static final long REQUEST_SIZE = Long.BYTES;

    /** Bytes of a request. */
    public static final long REQUEST_BYTES = 2L * Long.BYTES;

    private WindowLanes() {}
}
