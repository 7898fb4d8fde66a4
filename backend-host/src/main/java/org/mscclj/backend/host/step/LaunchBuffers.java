package org.mscclj.backend.host.step;

import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;

/** The buffers of a launch: their addresses on this device, by rank, and their registrations, by port channel. */
public final class LaunchBuffers {
    /** Stands for an address that is not mapped. */
    private static final long UNMAPPED = Long.MIN_VALUE;

    private final long[] inputs;
    private final long[] outputs;
    private final List<PortBuffers> ports;

    /** The buffers of a launch. */
    public LaunchBuffers(LaunchSpec spec) {
        int ranks = spec.buffers().size();
        this.inputs = new long[ranks];
        this.outputs = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            PeerBuffers buffers = spec.buffers().get(rank);
            inputs[rank] = buffers.input().orElse(UNMAPPED);
            outputs[rank] = buffers.output().orElse(UNMAPPED);
        }
        this.ports = spec.ports();
    }

    /** Whether a rank's input or output is mapped here. */
    public boolean isMapped(int rank, BufferType buffer) {
        return (buffer == BufferType.INPUT ? inputs : outputs)[rank] != UNMAPPED;
    }

    /** The address of a rank's input. */
    public long input(int rank) {
        return inputs[rank];
    }

    /** The address of a rank's output. */
    public long output(int rank) {
        return outputs[rank];
    }

    /** The registrations for a port channel. */
    public PortBuffers port(int channel) {
        return ports.get(channel);
    }
}
