package org.mscclj.gpu.engine;

import java.util.IdentityHashMap;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.occupancy.OccupancyReservation;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.GraphPins;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.ForeignContext;
import org.mscclj.spi.engine.ForeignSpec;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.spi.trace.TraceFolder;

/** Runs plans on a GPU. Safe for use by several threads. */
public final class GpuPlanEngine implements PlanEngine, AutoCloseable {
    /**
     * The most threads per block, even if a plan requests more. With 64 registers per thread, two blocks of 512 threads
     * fit into a multiprocessor. So twice as many communicators fit as with 1,024 threads, and the links are as busy.
     */
    public static final int MAX_THREADS =
            Math.clamp(Integer.getInteger("mscclj.gpu.block.threads", 512), GpuPlanContext.MIN_WORKERS, 1024);

    private final BackendDevice device;
    private final DeviceContext context;
    private final KernelCache kernels;
    private final HostWords words;
    private final IdentityHashMap<LaunchOrder, LaunchQueue> queues = new IdentityHashMap<>();
    private final GraphPins graphs = new GraphPins();
    private boolean closed;

    /**
     * Creates an engine.
     *
     * @param device the device whose memory the engine uses
     * @param context the context of the GPU
     * @param compiler the compiler of the kernels
     */
    public GpuPlanEngine(BackendDevice device, DeviceContext context, KernelCompiler compiler) {
        this.device = device;
        this.context = context;
        this.kernels = new KernelCache(context, compiler);
        this.words = new HostWords(device);
        OccupancyReservation.of(context).enter();
    }

    /** Compiles the kernels that each communicator loads when it opens, so that they are in the cache by then. */
    public static void compileForTransfers(KernelCompiler compiler, String architecture) {
        boolean isTraced = TraceFolder.ofProcess().isPresent();
        for (int words : RoundKernel.TRANSFER_TABLES) {
            byte[] _ = compiler.compile(
                    ContextKernels.TRANSFERS, TransferKernel.of(words, isTraced).source(), architecture);
        }
    }

    @Override
    public EngineContext open(ContextSpec spec) {
        return new GpuPlanContext(spec, this);
    }

    @Override
    public ForeignContext open(ForeignSpec spec) {
        return new GpuForeignContext(spec, this);
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

    /** Returns the queue that all contexts of a communicator share. The context releases it by {@code giveBack}. */
    LaunchQueue queue(LaunchOrder order, AbortFlag abort) {
        synchronized (queues) {
            LaunchQueue queue = queues.computeIfAbsent(order, _ -> new LaunchQueue(device, context, order, abort));
            queue.enter();
            return queue;
        }
    }

    /**
     * Undoes {@link #queue}.
     *
     * @param remains keeps resources for the graphs that have launches of the context
     */
    void giveBack(LaunchQueue queue, DeferredRelease remains) {
        synchronized (queues) {
            queue.remainsFor(remains);
            if (queue.leave()) {
                queues.remove(queue.order());
                queue.close();
            }
        }
    }

    /** Records that a graph that is being captured has kernels of this engine from now on. */
    void captured(CaptureInfo capture) {
        graphs.add(capture);
    }

    /** Unloads the kernels as soon as no graph contains one. All contexts must be closed. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            OccupancyReservation.of(context).leave();
            try {
                words.close();
            } finally {
                DeferredRelease remains = new DeferredRelease(graphs.alive());
                remains.add(kernels);
                remains.add(context.share());
                remains.settle();
            }
        }
    }
}
