package org.mscclj.transport.ib.connection;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.adapter.Rail;
import org.mscclj.transport.ib.ffm.MemoryRegion;

/**
 * Registered memory of one end of a connection, beside the buffers:
 *
 * <ul>
 *   <li>a word that receives what reads and atomic operations of this side return, which nothing uses;
 *   <li>a word that the peer reads to learn that its writes have arrived;
 *   <li>a ring of signals that the peer writes, where signals are not atomic operations;
 *   <li>the signals that this side writes to the peer's ring.
 * </ul>
 */
final class ControlBlock implements AutoCloseable {
    /** The receives that are posted: the signals of the peer that may wait to be counted. */
    static final int RECEIVES = 256;

    /**
     * The entries of a ring. An adapter may write an entry before it finds that no receive is posted, and so ahead of
     * the signals that wait by as many as the peer has in flight.
     */
    static final int RING = RECEIVES + SendLane.MAX_CAPACITY;

    /** The size of a signal: the memory's number, and the counter's offset. */
    static final int SIGNAL_BYTES = 2 * Long.BYTES;

    private static final int LINE = 64;
    private static final int READABLE = LINE;
    private static final int INCOMING = 2 * LINE;
    private static final int OUTGOING = INCOMING + RING * SIGNAL_BYTES;
    private static final int BYTES = OUTGOING + RING * SIGNAL_BYTES;
    private static final int PAGE = 4096;

    private final HeapBlock block = HeapBlock.zeroed(BYTES, PAGE);
    private final List<MemoryRegion> regions = new ArrayList<>();

    ControlBlock(List<Rail> rails) {
        try {
            for (Rail rail : rails) {
                regions.add(MemoryRegion.register(rail.domain(), block.address(), BYTES));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The address of the word that receives what nothing uses. */
    long landing() {
        return block.address();
    }

    int localKey(int rail) {
        return regions.get(rail).localKey();
    }

    int remoteKey(int rail) {
        return regions.get(rail).remoteKey();
    }

    /** The address by which the peer names this block. */
    long address() {
        return block.address();
    }

    /** The address of the word that this side may read, in the block of a peer. */
    static long readable(long peerBlock) {
        return peerBlock + READABLE;
    }

    /** The address of an entry of the peer's ring. */
    static long peerSignal(long peerBlock, int slot) {
        return peerBlock + INCOMING + (long) slot * SIGNAL_BYTES;
    }

    /** Writes a signal for the peer, and returns its address. */
    long signal(int slot, long memory, long offset) {
        long at = block.address() + OUTGOING + (long) slot * SIGNAL_BYTES;
        NativeMemory.setLong(at, memory);
        NativeMemory.setLong(at + Long.BYTES, offset);
        return at;
    }

    /** Returns the memory of a signal of the peer. */
    long signalledMemory(int slot) {
        return NativeMemory.getLong(block.address() + INCOMING + (long) slot * SIGNAL_BYTES);
    }

    /** Returns the offset of the counter of a signal of the peer. */
    long signalledOffset(int slot) {
        return NativeMemory.getLong(block.address() + INCOMING + (long) slot * SIGNAL_BYTES + Long.BYTES);
    }

    @Override
    public void close() {
        regions.forEach(MemoryRegion::close);
        regions.clear();
        block.close();
    }
}
