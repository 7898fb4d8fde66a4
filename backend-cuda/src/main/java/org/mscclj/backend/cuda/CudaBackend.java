package org.mscclj.backend.cuda;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.backend.cuda.compile.KernelCompiler;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.engine.CudaPlanEngine;
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
        int ordinal = localRank % Driver.deviceCount();
        use(List.of(ordinal));
        return new CudaDevice(DeviceContext.open(ordinal), memory, compiler);
    }

    @Override
    public List<BackendDevice> openDevices(int ranks) {
        int gpus = Math.min(ranks, Driver.deviceCount());
        use(IntStream.range(0, gpus).boxed().toList());
        return Backend.super.openDevices(ranks);
    }

    private void use(List<Integer> gpus) {
        UsedGpus.use(
                gpus,
                () -> gpus.stream()
                        .map(DeviceContext::architecture)
                        .distinct()
                        .forEach(architecture -> CudaPlanEngine.compileForTransfers(compiler, architecture)));
    }

    @Override
    public void close() {
        memory.close();
    }
}
