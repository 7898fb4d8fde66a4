package org.mscclj.backend.cuda;

import java.util.EnumSet;
import java.util.Map;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.driver.DriverSession;
import org.mscclj.gpu.GpuBackend;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.occupancy.QueueSharing;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/** Provides the CUDA backend. It is available where a driver, a GPU and NVRTC are present. */
public final class CudaBackendProvider implements BackendProvider {
    private static final int MAX_RANKS = 1024;
    private static final int PRIORITY = 100;

    /** Called by the service loader. */
    public CudaBackendProvider() {}

    @Override
    public String name() {
        return CudaDriver.BACKEND;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public String description() {
        int gpus = CudaDriver.INSTANCE.deviceCount();
        RuntimeCompiler compiler = CudaDriver.INSTANCE.compiler();
        return gpus + (gpus == 1 ? " NVIDIA GPU" : " NVIDIA GPUs") + ", driver for CUDA "
                + CudaDriver.INSTANCE.version()
                + (compiler.unavailable().isPresent() ? "" : ", " + compiler.name());
    }

    @Override
    public Availability probe() {
        return DriverSession.unavailable()
                .or(CudaDriver.INSTANCE.compiler()::unavailable)
                .map(Availability::unavailable)
                .orElseGet(Availability::available);
    }

    @Override
    public void requireValid(Map<String, String> environment) {
        QueueSharing.of(environment);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                EnumSet.allOf(DataType.class),
                EnumSet.allOf(ReduceOp.Kind.class),
                MAX_RANKS,
                EnumSet.of(
                        Feature.PLANS,
                        Feature.RANKS_AS_THREADS,
                        Feature.RANKS_AS_PROCESSES,
                        Feature.DEVICE_CHANNELS,
                        Feature.GRAPH_CAPTURE,
                        Feature.POINT_TO_POINT,
                        Feature.WINDOWS,
                        Feature.ABORT));
    }

    @Override
    public Backend open(BackendOptions options) {
        DriverSession.require();
        return new GpuBackend(CudaDriver.INSTANCE, options);
    }
}
