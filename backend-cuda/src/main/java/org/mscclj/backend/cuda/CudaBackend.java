package org.mscclj.backend.cuda;

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
    public void close() {
        memory.close();
    }
}
