package org.mscclj.runtime.execution;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelPairing;
import org.mscclj.plan.Plan;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.PortBinding;

/** The ways of a context's port channels: connections, semaphores, and the memory ids of scratch. */
final class PortWiring implements AutoCloseable {
    private final List<PortBinding> bindings;

    private PortWiring(List<PortBinding> bindings) {
        this.bindings = bindings;
    }

    static PortWiring open(
            Plan plan,
            ChannelPairing pairing,
            ContextLayout layout,
            ContextMemory memory,
            ExecutionEnvironment environment) {
        if (plan.ranks().stream().anyMatch(rank -> !rank.portChannelPeers().isEmpty())) {
            throw new UnsupportedException("port channels");
        }
        return new PortWiring(List.of());
    }

    List<PortBinding> bindings() {
        return bindings;
    }

    /** Registers the buffers of a launch. */
    PortBuffersWiring register(DeviceBuffer input, DeviceBuffer output) {
        return new PortBuffersWiring(List.of());
    }

    @Override
    public void close() {}
}
