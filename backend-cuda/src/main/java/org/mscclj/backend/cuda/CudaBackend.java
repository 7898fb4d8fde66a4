package org.mscclj.backend.cuda;

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

    CudaBackend(BackendOptions options) {
        memory = new CudaMemory(options.processes());
    }

    @Override
    public String name() {
        return CudaDevice.BACKEND;
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        return new CudaDevice(DeviceContext.open(localRank % Driver.deviceCount()), memory, compiler);
    }

    @Override
    public void close() {
        memory.close();
    }
}
