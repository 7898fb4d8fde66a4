package org.mscclj.backend.cuda;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
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
    public OptionalInt deviceCount() {
        return OptionalInt.of(Driver.deviceCount());
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        return device(open(List.of(localRank % Driver.deviceCount())).getFirst());
    }

    @Override
    public List<BackendDevice> openDevices(List<Integer> localRanks) {
        int present = Driver.deviceCount();
        List<Integer> ordinals = localRanks.stream().map(rank -> rank % present).toList();
        List<Integer> gpus = ordinals.stream().distinct().toList();
        Queue<DeviceContext> contexts = new ArrayDeque<>(open(gpus));
        Map<Integer, DeviceContext> given = new HashMap<>();
        List<BackendDevice> devices = new ArrayList<>();
        try {
            for (int ordinal : ordinals) {
                DeviceContext before = given.get(ordinal);
                DeviceContext context = before == null ? contexts.remove() : before.share();
                given.put(ordinal, context);
                devices.add(device(context));
            }
            return devices;
        } catch (RuntimeException | Error e) {
            devices.forEach(BackendDevice::close);
            contexts.forEach(DeviceContext::close);
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
