package org.mscclj.backend.cuda.engine;

import java.util.IdentityHashMap;
import org.mscclj.backend.cuda.compile.KernelCompiler;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PlanEngine;

/** Runs plans on a GPU. Safe for use by several threads. */
public final class CudaPlanEngine implements PlanEngine, AutoCloseable {
    private final BackendDevice device;
    private final DeviceContext context;
    private final KernelCache kernels;
    private final HostWords words;
    private final IdentityHashMap<LaunchOrder, LaunchQueue> queues = new IdentityHashMap<>();
    private boolean closed;

    /**
     * An engine.
     *
     * @param device whose memory it uses
     * @param context the GPU
     * @param compiler compiles for it
     */
    public CudaPlanEngine(BackendDevice device, DeviceContext context, KernelCompiler compiler) {
        this.device = device;
        this.context = context;
        this.kernels = new KernelCache(context, compiler);
        this.words = new HostWords(device);
        Residency.of(context).enter();
    }

    @Override
    public EngineContext open(ContextSpec spec) {
        return new CudaPlanContext(spec, this);
    }

    BackendDevice device() {
        return device;
    }

    DeviceContext context() {
        return context;
    }

    KernelCache kernels() {
        return kernels;
    }

    HostWords words() {
        return words;
    }

    /** The queue that all contexts of a communicator share. To be given back. */
    LaunchQueue queue(LaunchOrder order) {
        synchronized (queues) {
            LaunchQueue queue = queues.computeIfAbsent(order, _ -> new LaunchQueue(device, context, order));
            queue.enter();
            return queue;
        }
    }

    /** Undoes {@link #queue}. */
    void giveBack(LaunchQueue queue) {
        synchronized (queues) {
            if (queue.leave()) {
                queues.remove(queue.order());
                queue.close();
            }
        }
    }

    /** Unloads the kernels. Contexts must be closed. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Residency.of(context).leave();
            kernels.close();
            words.close();
        }
    }
}
