package org.mscclj.backend.cuda.module;

import java.util.concurrent.locks.Lock;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.stream.CapturedLaunch;
import org.mscclj.backend.cuda.stream.CudaStream;
import org.mscclj.backend.cuda.stream.ReplayOrder;

/**
 * Where graphs of ours repeat a kernel of a user that may wait: on whatever stream, in no order but that of the
 * streams.
 */
final class KernelReplays implements ReplayOrder, CapturedLaunch {
    private static final long NO_TICKET = 0;

    private final long number = ReplayOrder.newNumber();
    private final UserKernel kernel;
    private final KernelRoom room;

    KernelReplays(UserKernel kernel, KernelRoom room) {
        this.kernel = kernel;
        this.room = room;
    }

    @Override
    public ReplayOrder order() {
        return this;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public Lock lock() {
        return kernel.lock();
    }

    /** Has no limit of ours. */
    @Override
    public void awaitRoom(long more) {}

    @Override
    public void follow(CudaStream stream) {
        if (kernel.isClosed()) {
            throw new InvalidArgumentException("kernel " + kernel.name()
                    + ", which this graph launches, is closed; close kernels after the graphs that launch them");
        }
        room.prepareReplay(stream);
    }

    @Override
    public long beginReplay(CudaStream stream, boolean shared) {
        room.replayed(stream);
        return NO_TICKET;
    }

    /** The streams are asked. */
    @Override
    public void markReplay() {}

    /** Nobody asks. */
    @Override
    public void replayed(long ticket) {}

    /** Nobody asks. */
    @Override
    public void replayed() {}
}
