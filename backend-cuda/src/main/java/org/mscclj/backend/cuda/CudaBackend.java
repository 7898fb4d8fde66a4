package org.mscclj.backend.cuda;

import java.util.HashMap;
import java.util.Map;
import org.mscclj.backend.cuda.compile.KernelCompiler;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.ffm.Driver;
import org.mscclj.backend.cuda.memory.CudaMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** The open CUDA backend. */
final class CudaBackend implements Backend {
    private final CudaMemory memory;
    private final KernelCompiler compiler = new KernelCompiler();

    /** Kept open until the memory is freed: devices are closed before. */
    private final Map<Integer, DeviceContext> contexts = new HashMap<>();

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
        synchronized (contexts) {
            contexts.computeIfAbsent(ordinal, DeviceContext::open);
        }
        return new CudaDevice(DeviceContext.open(ordinal), memory, compiler);
    }

    @Override
    public void close() {
        memory.close();
        synchronized (contexts) {
            contexts.values().forEach(DeviceContext::close);
            contexts.clear();
        }
    }
}
