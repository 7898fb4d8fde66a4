package org.mscclj.gpu;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.engine.GpuPlanEngine;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/** An open backend for GPUs. Its provider supplies the vendor's driver. */
public final class GpuBackend implements Backend {
    private final GpuDriver driver;
    private final GpuMemory memory;
    private final KernelCompiler compiler;

    /**
     * Opens the backend.
     *
     * @param driver of the GPUs
     * @throws org.mscclj.api.error.UnsupportedException with the reason if the driver cannot be used
     */
    public GpuBackend(GpuDriver driver, BackendOptions options) {
        driver.require();
        this.driver = driver;
        compiler = new KernelCompiler(driver);
        memory = new GpuMemory(options.processes());
    }

    @Override
    public String name() {
        return driver.backend();
    }

    @Override
    public OptionalInt deviceCount() {
        return OptionalInt.of(driver.deviceCount());
    }

    @Override
    public BackendDevice openDevice(int localRank) {
        return device(open(List.of(localRank % driver.deviceCount())).getFirst());
    }

    @Override
    public List<BackendDevice> openDevices(List<Integer> localRanks) {
        int present = driver.deviceCount();
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

    /** Creates a device that closes the context. If the device cannot be created, the context is closed too. */
    private BackendDevice device(DeviceContext context) {
        try {
            return new GpuDevice(context, memory, compiler);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private List<DeviceContext> open(List<Integer> ordinals) {
        List<Gpu> gpus =
                ordinals.stream().map(ordinal -> new Gpu(driver, ordinal)).toList();
        return RetainedContexts.open(
                gpus,
                () -> gpus.stream()
                        .map(DeviceContext::architecture)
                        .distinct()
                        .forEach(architecture -> GpuPlanEngine.compileForTransfers(compiler, architecture)));
    }

    @Override
    public void close() {
        memory.close();
    }
}
