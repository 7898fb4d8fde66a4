package org.mscclj.backend.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.backend.cuda.compile.KernelCompiler;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.ffm.Driver;
import org.mscclj.backend.cuda.memory.CudaMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** The open CUDA backend. */
final class CudaBackend implements Backend {
    /**
     * GPUs that this process has used. Their contexts stay until it ends, as those of CUDA's runtime do: making them takes a second and more, which
     * whoever opens one group after the other would pay each time.
     */
    private static final Map<Integer, DeviceContext> USED = new ConcurrentHashMap<>();

    private static final System.Logger LOGGER = System.getLogger(CudaBackend.class.getName());

    private final CudaMemory memory;
    private final KernelCompiler compiler = new KernelCompiler();

    CudaBackend(BackendOptions options) {
        memory = new CudaMemory(options.processes());
    }

    @Override
    public String name() {
        return CudaDevice.BACKEND;
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        int ordinal = localRank % Driver.deviceCount();
        USED.computeIfAbsent(ordinal, DeviceContext::open);
        return new CudaDevice(DeviceContext.open(ordinal), memory, compiler);
    }

    @Override
    public List<BackendDevice> openDevices(int ranks) {
        makeContexts(Math.min(ranks, Driver.deviceCount()));
        return Backend.super.openDevices(ranks);
    }

    /** Makes the contexts of the first GPUs at the same time: each takes half a second. What fails is told by who opens the device afterwards. */
    private static void makeContexts(int gpus) {
        List<Thread> threads = new ArrayList<>();
        for (int gpu = 1; gpu < gpus; gpu++) {
            int ordinal = gpu;
            threads.add(Thread.ofPlatform()
                    .name("mscclj-cuda-context-" + ordinal)
                    .daemon()
                    .start(() -> tryUse(ordinal)));
        }
        tryUse(0);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return; // the rest is made when it is needed
            }
        }
    }

    /** Gives the contexts of GPUs back that nobody uses. */
    static void forgetContexts() {
        USED.values().forEach(DeviceContext::close);
        USED.clear();
    }

    private static void tryUse(int ordinal) {
        try {
            USED.computeIfAbsent(ordinal, DeviceContext::open);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "no context on GPU " + ordinal + " yet", e);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
