package org.mscclj.gpu;

import java.util.EnumSet;
import java.util.Map;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.gpu.occupancy.QueueSharing;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/**
 * Provides a backend for the GPUs of a vendor. It is available where the driver, a GPU and the compiler are present. Of
 * two vendors whose GPUs are both present, the first by the name of the backend comes first.
 */
public abstract class GpuBackendProvider implements BackendProvider {
    private static final int MAX_RANKS = 1024;
    private static final int PRIORITY = 100;

    private final GpuDriver driver;

    /** Creates a provider. Does not use the driver. */
    protected GpuBackendProvider(GpuDriver driver) {
        this.driver = driver;
    }

    @Override
    public final String name() {
        return driver.backend();
    }

    @Override
    public final int priority() {
        return PRIORITY;
    }

    @Override
    public final String description() {
        int gpus = driver.deviceCount();
        RuntimeCompiler compiler = driver.compiler();
        return gpus + " " + driver.terms().vendor() + (gpus == 1 ? " GPU" : " GPUs") + ", driver for "
                + driver.terms().api() + " " + driver.version()
                + (compiler.unavailable().isPresent() ? "" : ", " + compiler.name())
                + driver.links().map(links -> ", " + links.text()).orElse("")
                + driver.fabricSummary().map(", "::concat).orElse("");
    }

    @Override
    public final Availability probe() {
        return driver.unavailable()
                .or(driver.compiler()::unavailable)
                .map(Availability::unavailable)
                .orElseGet(Availability::available);
    }

    @Override
    public final void requireValid(Map<String, String> environment) {
        QueueSharing.of(environment);
    }

    @Override
    public final Capabilities capabilities() {
        return new Capabilities(
                EnumSet.allOf(DataType.class),
                EnumSet.allOf(ReduceOp.Kind.class),
                MAX_RANKS,
                EnumSet.of(
                        Feature.PLANS,
                        Feature.RANKS_AS_THREADS,
                        Feature.RANKS_AS_PROCESSES,
                        Feature.DEVICE_CHANNELS,
                        Feature.MULTICAST,
                        Feature.GRAPH_CAPTURE,
                        Feature.POINT_TO_POINT,
                        Feature.WINDOWS,
                        Feature.ABORT));
    }

    @Override
    public final Backend open(BackendOptions options) {
        return new GpuBackend(driver, options);
    }
}
