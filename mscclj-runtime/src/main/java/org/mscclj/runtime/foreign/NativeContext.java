package org.mscclj.runtime.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * A context of a native algorithm, with its operations. Any thread may close the memory of its kind.
 *
 * @param <C> what the algorithm has made
 */
final class NativeContext<C extends AutoCloseable> implements KindContext {
    private final C made;
    private final ForeignLaunches launches;
    private final Runnable drain;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private volatile boolean memoryClosed;
    private boolean outdated;

    /**
     * Creates a context.
     *
     * @param drain waits until what kernels have pushed to port channels is carried out
     */
    NativeContext(C made, ForeignLaunches launches, Runnable drain) {
        this.made = made;
        this.launches = launches;
        this.drain = drain;
        resources.add(made);
    }

    /**
     * Notes when this rank closes registered memory of a kind, to whose calls the context belongs alone.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it is closed
     */
    void belongTo(CallKind kind, BackendDevice device) {
        Stream.concat(kind.input().stream(), kind.output().stream())
                .distinct()
                .forEach(memory -> watch(memory, device));
    }

    private void watch(DeviceBuffer memory, BackendDevice device) {
        BufferUser user = new BufferUser() {
            @Override
            public boolean isUsing() {
                return false;
            }

            @Override
            public void bufferClosed() {
                memoryClosed = true;
            }
        };
        device.addUser(memory, user);
        resources.add(() -> device.removeUser(memory, user));
    }

    /** Returns what the algorithm has made. */
    C made() {
        return made;
    }

    /** Returns in what the launches of the context's operations run. */
    ForeignLaunches launches() {
        return launches;
    }

    /** Returns whether this rank has closed memory of its kind. */
    boolean isMemoryClosed() {
        return memoryClosed;
    }

    /** Marks this context as one whose memory a rank has closed, so that no call of all ranks can use it. */
    void outdate() {
        outdated = true;
    }

    /** Returns whether a rank has closed memory of its kind; equal on all ranks. */
    boolean isOutdated() {
        return outdated;
    }

    @Override
    public boolean isIdle() {
        return launches.isIdle();
    }

    /** Its kernels may have pushed transfers that no kernel awaits. The context's channels end as it closes. */
    @Override
    public void stop() {
        drain.run();
    }

    @Override
    public void close() {
        Resources.close(resources); // last first
    }
}
