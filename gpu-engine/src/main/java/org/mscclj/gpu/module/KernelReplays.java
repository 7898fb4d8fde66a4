package org.mscclj.gpu.module;

import java.util.concurrent.locks.Lock;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.stream.CapturedLaunch;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.gpu.stream.ReplayOrder;

/**
 * Where graphs of ours repeat a kernel of a user that may wait: on whatever stream, in no order but that of the
 * streams.
 */
final class KernelReplays implements ReplayOrder, CapturedLaunch {
    private static final long NO_TICKET = 0;

    private final long number = ReplayOrder.newNumber();
    private final UserKernel kernel;
    private final KernelOccupancy room;

    KernelReplays(UserKernel kernel, KernelOccupancy room) {
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
    public void follow(GpuStream stream) {
        if (kernel.isClosed()) {
            throw new InvalidArgumentException("kernel " + kernel.name()
                    + ", which this graph launches, is closed; close kernels after the graphs that launch them");
        }
        room.prepareReplay(stream);
    }

    @Override
    public long beginReplay(GpuStream stream, boolean shared) {
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
