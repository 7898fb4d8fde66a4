package org.mscclj.backend.nccl;

import org.mscclj.backend.nccl.ffm.NcclCollectives;

/**
 * A group of calls of a communicator. No other class starts or ends groups. {@link #close} ends a group whose calls
 * have failed: an open group would take in all later calls of the thread. Reused, so that calls allocate nothing.
 *
 * <p>NCCL keeps a group in the thread of the system. The calling thread may be a virtual one, which goes on on another
 * thread of the system after a wait. So nothing waits between the start of a group and its end.
 */
final class NcclGroup implements AutoCloseable {
    private final NcclHandle handle;
    private final NcclCollectives calls;
    private boolean open;

    NcclGroup(NcclHandle handle) {
        this.handle = handle;
        this.calls = handle.nccl().collectives();
    }

    /** Starts a group. */
    NcclGroup start() {
        handle.check("ncclGroupStart", calls.groupStart());
        open = true;
        return this;
    }

    void send(long address, long bytes, int peer, long queue) {
        handle.checkPart("ncclSend", calls.send(address, bytes, ElementTypes.BYTE, peer, handle.address(), queue));
    }

    void receive(long address, long bytes, int peer, long queue) {
        handle.checkPart("ncclRecv", calls.receive(address, bytes, ElementTypes.BYTE, peer, handle.address(), queue));
    }

    void reduce(long input, long output, long count, int type, int op, int root, long queue) {
        handle.checkPart("ncclReduce", calls.reduce(input, output, count, type, op, root, handle.address(), queue));
    }

    /** Ends the group, and thereby enqueues its calls. */
    void end() {
        open = false;
        handle.check("ncclGroupEnd", calls.groupEnd());
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            calls.groupEnd(); // NCCL enqueues nothing; the failure of the call is on its way to the caller
            handle.settle();
        }
    }
}
