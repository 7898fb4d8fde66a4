package org.mscclj.transport.ib.ffm;

import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.SendWr;
import org.mscclj.transport.ib.ffm.Layouts.Sge;

/**
 * Memory of one work request ({@code struct ibv_send_wr}), which is filled again for each operation. Used by one thread
 * at a time; allocates nothing.
 */
public final class SendRequest implements AutoCloseable {
    private static final int RDMA_WRITE = 0;
    private static final int RDMA_WRITE_WITH_IMM = 1;
    private static final int RDMA_READ = 4;
    private static final int FETCH_AND_ADD = 6;

    private static final int SIGNALED = 2;
    private static final int INLINE = 8;

    private static final int SGE = SendWr.BYTES;
    private static final int BAD = SGE + Sge.BYTES;

    private final HeapBlock block = HeapBlock.zeroed(BAD + Long.BYTES, Long.BYTES);

    /** Creates an empty request. */
    public SendRequest() {
        NativeMemory.setLong(block.address() + SendWr.SG_LIST, block.address() + SGE);
    }

    long address() {
        return block.address();
    }

    /** The address of the pointer that receives the request that was not posted. */
    long bad() {
        return block.address() + BAD;
    }

    /**
     * A write.
     *
     * @param number returned by its completion
     * @param signaled whether its completion is reported if it succeeds
     * @param inline whether the source is read by the call that posts; for memory that the host can read
     */
    public SendRequest write(
            long number,
            boolean signaled,
            boolean inline,
            long source,
            int bytes,
            int localKey,
            long target,
            int remoteKey) {
        fill(number, RDMA_WRITE, (signaled ? SIGNALED : 0) | (inline ? INLINE : 0), target, remoteKey);
        return range(source, bytes, localKey);
    }

    /** A signaled write, with 32 bits that the peer receives when it has arrived. */
    public SendRequest writeWithImmediate(
            long number,
            boolean inline,
            long source,
            int bytes,
            int localKey,
            long target,
            int remoteKey,
            int immediate) {
        fill(number, RDMA_WRITE_WITH_IMM, SIGNALED | (inline ? INLINE : 0), target, remoteKey);
        NativeMemory.setInt(block.address() + SendWr.IMM_DATA, Integer.reverseBytes(immediate));
        return range(source, bytes, localKey);
    }

    /** A signaled read. */
    public SendRequest read(long number, long destination, int bytes, int localKey, long target, int remoteKey) {
        fill(number, RDMA_READ, SIGNALED, target, remoteKey);
        return range(destination, bytes, localKey);
    }

    /** A signaled atomic addition of 1 to 8 bytes of the peer, whose value before arrives in local memory. */
    public SendRequest increment(long number, long destination, int localKey, long target, int remoteKey) {
        fill(number, FETCH_AND_ADD, SIGNALED, target, 0);
        NativeMemory.setLong(block.address() + SendWr.COMPARE_ADD, 1);
        NativeMemory.setInt(block.address() + SendWr.ATOMIC_RKEY, remoteKey);
        return range(destination, Long.BYTES, localKey);
    }

    private void fill(long number, int opcode, int flags, long target, int remoteKey) {
        long at = block.address();
        NativeMemory.setLong(at + SendWr.WR_ID, number);
        NativeMemory.setInt(at + SendWr.OPCODE, opcode);
        NativeMemory.setInt(at + SendWr.SEND_FLAGS, flags);
        NativeMemory.setLong(at + SendWr.REMOTE_ADDR, target);
        NativeMemory.setLong(at + SendWr.RKEY, remoteKey & 0xffff_ffffL);
    }

    private SendRequest range(long address, int bytes, int localKey) {
        long at = block.address();
        NativeMemory.setInt(at + SendWr.NUM_SGE, 1);
        NativeMemory.setLong(at + SGE + Sge.ADDR, address);
        NativeMemory.setInt(at + SGE + Sge.LENGTH, bytes);
        NativeMemory.setInt(at + SGE + Sge.LKEY, localKey);
        return this;
    }

    /** Frees the memory. */
    @Override
    public void close() {
        block.close();
    }
}
