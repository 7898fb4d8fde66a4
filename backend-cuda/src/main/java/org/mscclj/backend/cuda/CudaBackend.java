package org.mscclj.backend.cuda;

import java.util.ArrayList;
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
        return device(open(List.of(localRank % Driver.deviceCount())).getFirst());
    }

    @Override
    public List<BackendDevice> openDevices(int ranks) {
        int gpus = Math.min(ranks, Driver.deviceCount());
        List<DeviceContext> contexts = open(IntStream.range(0, gpus).boxed().toList());
        List<BackendDevice> devices = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                DeviceContext context = contexts.get(rank % gpus);
                devices.add(device(rank < gpus ? context : context.share()));
            }
            return devices;
        } catch (RuntimeException | Error e) {
            devices.forEach(BackendDevice::close);
            contexts.stream().skip(devices.size() + 1L).forEach(DeviceContext::close);
            throw e;
        }
    }

    /** A device that closes the context, also if it cannot be made. */
    private BackendDevice device(DeviceContext context) {
        try {
            return new CudaDevice(context, memory, compiler);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private List<DeviceContext> open(List<Integer> gpus) {
        return UsedGpus.open(
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
