package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryHandle;

/**
 * Whether all ranks of a communicator can map each other's memory: tried once, when it first matters, and agreed. Ranks of different nodes are not asked:
 * that some can does not make their memory near.
 */
final class PeerMapping {
    private final ControlPlane control;
    private final BackendDevice device;
    private Optional<String> obstacle = Optional.empty();
    private boolean agreed;

    PeerMapping(ControlPlane control, BackendDevice device) {
        this.control = control;
        this.device = device;
    }

    /** Why memory cannot be shared, in words that are equal on all ranks; empty if it can. Collective when first called. */
    Optional<String> obstacle() {
        if (!agreed) {
            obstacle = find();
            agreed = true;
        }
        return obstacle;
    }

    private Optional<String> find() {
        if (control.nodes().several()) {
            return Optional.of("it needs ranks that share memory, and each node has only "
                    + control.nodes().ranksPerNode() + " of "
                    + control.size());
        }
        List<DeviceBuffer> sample = new ArrayList<>();
        try {
            byte[][] handles = Exchange.gather(control, "a sample of memory", () -> {
                sample.add(device.allocate(Long.BYTES));
                return Wire.encode(out -> Wire.writeHandle(out, device.export(sample.getFirst())));
            });
            byte[][] unreachable = Exchange.gather(
                    control, "which memory can be mapped", () -> new byte[] {(byte) (mapsAll(handles) ? 0 : 1)});
            List<Integer> ranks = IntStream.range(0, unreachable.length)
                    .filter(rank -> unreachable[rank][0] != 0)
                    .boxed()
                    .toList();
            return ranks.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "it needs ranks that share memory, and ranks " + ranks + " cannot map that of all others");
        } finally {
            Resources.close(sample);
        }
    }

    private boolean mapsAll(byte[][] handles) {
        for (byte[] message : handles) {
            MemoryHandle handle = Wire.decode(message, Wire::readHandle);
            if (!device.canMap(handle)) {
                return false;
            }
        }
        return true;
    }
}
