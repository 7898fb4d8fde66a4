package org.mscclj.transport.ib.ffm;

import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.SendWr;
import org.mscclj.transport.ib.ffm.Layouts.Sge;

/**
 * A chain of work requests ({@code struct ibv_send_wr}), which one call posts: the adapter gets one doorbell for all of
 * them. Each is filled again after it was posted. Used by one thread at a time; allocates nothing.
 */
public final class SendRequests implements AutoCloseable {
    private static final int RDMA_WRITE = 0;
    private static final int RDMA_WRITE_WITH_IMM = 1;
    private static final int RDMA_READ = 4;
    private static final int FETCH_AND_ADD = 6;

    private static final int SIGNALED = 2;
    private static final int INLINE = 8;

    private static final int SGE = SendWr.BYTES;
    private static final int STRIDE = SGE + Sge.BYTES;

    private final int capacity;
    private final HeapBlock block;

    /** The number of requests that are filled. */
    private int count;

    /**
     * Creates an empty chain.
     *
     * @param capacity the most requests of one call, at least 1
     */
    public SendRequests(int capacity) {
        this.capacity = capacity;
        this.block = HeapBlock.zeroed((long) STRIDE * capacity + Long.BYTES, Long.BYTES);
        for (int i = 0; i < capacity; i++) {
            NativeMemory.setLong(at(i) + SendWr.SG_LIST, at(i) + SGE);
        }
    }

    private long at(int index) {
        return block.address() + (long) STRIDE * index;
    }

    /** The address of the first request. */
    long address() {
        return block.address();
    }

    /** The address of the pointer that receives the first request that was not posted. */
    long bad() {
        return at(capacity);
    }

    /** Whether nothing waits to be posted. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Whether the chain takes no further request before it is posted. */
    public boolean isFull() {
        return count == capacity;
    }

    /** Empties the chain. */
    void clear() {
        count = 0;
    }

    /**
     * Adds a write.
     *
     * @param number returned by its completion
     * @param signaled whether its completion is reported if it succeeds
     * @param inline whether the source is read by the call that posts; for memory that the host can read
     */
    public void write(
            long number,
            boolean signaled,
            boolean inline,
            long source,
            int bytes,
            int localKey,
            long target,
            int remoteKey) {
        long at = add(number, RDMA_WRITE, (signaled ? SIGNALED : 0) | (inline ? INLINE : 0), target, remoteKey);
        range(at, source, bytes, localKey);
    }

    /** Adds a signaled write, with 32 bits that the peer receives when it has arrived. */
    public void writeWithImmediate(
            long number,
            boolean inline,
            long source,
            int bytes,
            int localKey,
            long target,
            int remoteKey,
            int immediate) {
        long at = add(number, RDMA_WRITE_WITH_IMM, SIGNALED | (inline ? INLINE : 0), target, remoteKey);
        NativeMemory.setInt(at + SendWr.IMM_DATA, Integer.reverseBytes(immediate));
        range(at, source, bytes, localKey);
    }

    /** Adds a signaled read. */
    public void read(long number, long destination, int bytes, int localKey, long target, int remoteKey) {
        range(add(number, RDMA_READ, SIGNALED, target, remoteKey), destination, bytes, localKey);
    }

    /** Adds a signaled atomic addition of 1 to 8 bytes of the peer, whose value before arrives in local memory. */
    public void increment(long number, long destination, int localKey, long target, int remoteKey) {
        long at = add(number, FETCH_AND_ADD, SIGNALED, target, 0);
        NativeMemory.setLong(at + SendWr.COMPARE_ADD, 1);
        NativeMemory.setInt(at + SendWr.ATOMIC_RKEY, remoteKey);
        range(at, destination, Long.BYTES, localKey);
    }

    /** Adds a request behind the others. Returns its address. */
    private long add(long number, int opcode, int flags, long target, int remoteKey) {
        long at = at(count);
        if (count > 0) {
            NativeMemory.setLong(at(count - 1) + SendWr.NEXT, at);
        }
        NativeMemory.setLong(at + SendWr.WR_ID, number);
        NativeMemory.setLong(at + SendWr.NEXT, 0);
        NativeMemory.setInt(at + SendWr.OPCODE, opcode);
        NativeMemory.setInt(at + SendWr.SEND_FLAGS, flags);
        NativeMemory.setLong(at + SendWr.REMOTE_ADDR, target);
        NativeMemory.setLong(at + SendWr.RKEY, remoteKey & 0xffff_ffffL);
        count++;
        return at;
    }

    private static void range(long at, long address, int bytes, int localKey) {
        NativeMemory.setInt(at + SendWr.NUM_SGE, 1);
        NativeMemory.setLong(at + SGE + Sge.ADDR, address);
        NativeMemory.setInt(at + SGE + Sge.LENGTH, bytes);
        NativeMemory.setInt(at + SGE + Sge.LKEY, localKey);
    }

    /** Frees the memory. */
    @Override
    public void close() {
        block.close();
    }
}
