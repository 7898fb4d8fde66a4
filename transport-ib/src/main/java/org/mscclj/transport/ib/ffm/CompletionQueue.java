package org.mscclj.transport.ib.ffm;

import org.jspecify.annotations.Nullable;
import org.mscclj.posix.FunctionPointer;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.Wc;

/**
 * A queue of completions ({@code struct ibv_cq}), and the memory that receives some of them. One thread at a time polls
 * it. Polling allocates nothing.
 */
public final class CompletionQueue implements AutoCloseable {
    /** The most completions that one poll returns. */
    private static final int BATCH = 16;

    private final Adapter adapter;
    private final FunctionPointer poll;
    private final long handle;
    private final HeapBlock polled;

    /**
     * Creates a queue.
     *
     * @param capacity the most completions that may wait in it
     * @param channel announces completions; null for none
     */
    public CompletionQueue(Adapter adapter, int capacity, @Nullable CompletionChannel channel) {
        this.adapter = adapter;
        this.poll = adapter.pollCompletions();
        this.polled = HeapBlock.zeroed((long) BATCH * Wc.BYTES, Long.BYTES);
        try {
            this.handle = adapter.library()
                    .pointer(
                            VerbsFunction.CREATE_CQ,
                            adapter.handle(),
                            capacity,
                            0,
                            channel == null ? 0 : channel.handle(),
                            0);
        } catch (RuntimeException | Error e) {
            polled.close();
            throw e;
        }
    }

    long handle() {
        return handle;
    }

    /** Takes completions, oldest first. Returns their number; the accessors describe them until the next poll. */
    public int poll() {
        int count = poll.call(handle, BATCH, polled.address());
        if (count < 0) {
            throw VerbsLibrary.failure("ibv_poll_cq", -count);
        }
        return count;
    }

    /** Returns the number that the work request was given. */
    public long request(int index) {
        return NativeMemory.getLong(at(index) + Wc.WR_ID);
    }

    /** Returns the status; 0 means success. {@link CompletionStatus} describes it. */
    public int status(int index) {
        return NativeMemory.getInt(at(index) + Wc.STATUS);
    }

    /** Returns the adapter's own code of an error. */
    public int vendorError(int index) {
        return NativeMemory.getInt(at(index) + Wc.VENDOR_ERR);
    }

    /** Returns the 32 bits that the peer has sent with a write. */
    public int immediate(int index) {
        return Integer.reverseBytes(NativeMemory.getInt(at(index) + Wc.IMM_DATA));
    }

    private long at(int index) {
        return polled.address() + (long) index * Wc.BYTES;
    }

    /** Asks for one event of the channel at the next completion. Poll once more afterwards. */
    public void requestEvent() {
        int result = adapter.requestEvent().call(handle, 0, 0);
        if (result != 0) {
            throw VerbsLibrary.failure("ibv_req_notify_cq", Math.abs(result));
        }
    }

    /** Frees the queue. Its queue pairs must be closed already. */
    @Override
    public void close() {
        adapter.library().call(VerbsFunction.DESTROY_CQ, handle);
        polled.close();
    }
}
