package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.context.PeerReports;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryHandle;

/**
 * Whether ranks can map each other's memory, and use hardware multicast. The ranks try it once, when it is first
 * needed, and agree on the result. Ranks of different nodes do not try it: even if they can map memory, that does not
 * make it near.
 */
final class PeerMapping {
    private final ControlPlane control;
    private final BackendDevice device;
    private final Supplier<Optional<String>> multicastMember;
    private @Nullable MappingObstacles agreed;
    private boolean multicast;

    /**
     * Creates an instance that knows nothing.
     *
     * @param multicastMember returns this rank's device as {@link PeerReports#encode} has it
     */
    PeerMapping(ControlPlane control, BackendDevice device, Supplier<Optional<String>> multicastMember) {
        this.control = control;
        this.device = device;
        this.multicastMember = multicastMember;
    }

    /** Learns what the ranks have found out by mapping other memory. */
    void learn(PeerReports reports) {
        agreed = obstacles(reports.unmapped());
        multicast = reports.multicast() && !control.nodes().several();
    }

    /** Returns whether all ranks can use hardware multicast, and are on one node; known with the obstacles. */
    boolean hasMulticast() {
        return multicast;
    }

    /**
     * Returns the obstacles to mapping, equal on all ranks. The first call is collective, unless this rank has learned
     * them.
     */
    MappingObstacles obstacles() {
        MappingObstacles known = agreed;
        if (known == null) {
            learn(find());
            known = Objects.requireNonNull(agreed, "learned");
        }
        return known;
    }

    private PeerReports find() {
        Nodes nodes = control.nodes();
        return nodes.several() && nodes.ranksPerNode() == 1 ? new PeerReports(List.of(), false) : tryWithinNodes(nodes);
    }

    private MappingObstacles obstacles(List<Integer> unmapped) {
        Nodes nodes = control.nodes();
        Optional<String> withinNodes = unmapped.isEmpty()
                ? Optional.empty()
                : Optional.of("it needs ranks that share memory, and ranks " + unmapped
                        + " cannot map that of all others" + (nodes.several() ? " on their node" : ""));
        return nodes.several()
                ? new MappingObstacles(
                        Optional.of("it needs ranks that share memory, and each node has only " + nodes.ranksPerNode()
                                + " of " + control.size()),
                        withinNodes)
                : new MappingObstacles(withinNodes, withinNodes);
    }

    private PeerReports tryWithinNodes(Nodes nodes) {
        List<DeviceBuffer> sample = new ArrayList<>();
        try {
            List<Message> handles = Exchange.gather(control, Topic.of(TopicKind.SAMPLE), () -> {
                sample.add(device.allocate(Long.BYTES));
                return Wire.encode(out -> Wire.writeHandle(out, device.export(sample.getFirst())));
            });
            return PeerReports.of(Exchange.gather(
                    control,
                    Topic.of(TopicKind.MAPPABLE),
                    () -> PeerReports.encode(!mapsAll(handles, nodes), multicastMember.get())));
        } finally {
            Resources.close(sample);
        }
    }

    private boolean mapsAll(List<Message> handles, Nodes nodes) {
        for (int peer = 0; peer < handles.size(); peer++) {
            if (nodes.share(control.rank(), peer)) {
                MemoryHandle handle = Wire.decodeFrom(
                        peer, handles.get(peer).bytes(), message -> Wire.decode(message, Wire::readHandle));
                if (!device.canMap(handle)) {
                    return false;
                }
            }
        }
        return true;
    }
}
