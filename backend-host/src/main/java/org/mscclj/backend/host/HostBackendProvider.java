package org.mscclj.backend.host;

import java.util.EnumSet;
import java.util.Set;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.variant.VectorSupport;
import org.mscclj.posix.NativeAccess;
import org.mscclj.posix.PosixSupport;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;

/** Describes the CPU backend, which is available if the module that accesses memory may call native code. */
public final class HostBackendProvider implements BackendProvider {
    private static final int MAX_RANKS = 1024;

    /** For the service loader. */
    public HostBackendProvider() {}

    @Override
    public String name() {
        return "host";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return Runtime.getRuntime().availableProcessors() + " cores, " + VectorSupport.description();
    }

    @Override
    public Availability probe() {
        return NativeAccess.refusal().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public Capabilities capabilities() {
        Set<Feature> features = EnumSet.of(
                Feature.PLANS,
                Feature.RANKS_AS_THREADS,
                Feature.HOST_CHANNELS,
                Feature.HOST_MEMORY,
                Feature.MULTICAST,
                Feature.GRAPH_CAPTURE,
                Feature.POINT_TO_POINT,
                Feature.WINDOWS,
                Feature.ABORT);
        if (PosixSupport.missing().isEmpty()) {
            features.add(Feature.RANKS_AS_PROCESSES);
        }
        return new Capabilities(EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), MAX_RANKS, features);
    }

    @Override
    public Backend open(BackendOptions options) {
        return new HostBackend(options);
    }
}
