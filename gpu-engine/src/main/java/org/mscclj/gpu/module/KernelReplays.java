package org.mscclj.gpu.module;

import java.util.concurrent.locks.Lock;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.stream.CapturedLaunch;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.gpu.stream.ReplayOrder;

/**
 * Tracks replays of this library's graphs that contain a user kernel that may wait. They may be on any stream, and are
 * ordered only by the streams.
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

    /** Does nothing: launches of user kernels are not limited. */
    @Override
    public void awaitCapacity(long more) {}

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

    /** Does nothing: the streams are queried instead. */
    @Override
    public void markReplay() {}

    /** Does nothing: replays of user kernels have no listener. */
    @Override
    public void replayed(long ticket) {}

    /** Does nothing: replays of user kernels have no listener. */
    @Override
    public void replayed() {}
}
