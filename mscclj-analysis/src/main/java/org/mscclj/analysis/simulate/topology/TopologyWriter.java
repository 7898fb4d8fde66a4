package org.mscclj.analysis.simulate.topology;

import java.io.StringWriter;
import org.mscclj.plan.document.LineLayout;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;

/** Writes topology files. {@link TopologyReader} reads back an equal topology. */
public final class TopologyWriter {
    private TopologyWriter() {}

    /** The topology as text. */
    public static String write(Topology topology) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(new LaidOut(), text)) {
            topology(out, topology);
        }
        return text.append('\n').toString();
    }

    private static void topology(JsonGenerator out, Topology topology) {
        out.writeStartObject();
        out.writeStringProperty("name", topology.name());
        out.writeNumberProperty("nodes", topology.nodes());
        out.writeNumberProperty("ranks_per_node", topology.ranksPerNode());
        out.writeObjectPropertyStart("fabric");
        fabric(out, topology.fabric());
        out.writeEndObject();
        topology.rails().ifPresent(rails -> {
            out.writeObjectPropertyStart("rails");
            out.writeNumberProperty("bandwidth", rails.bandwidth());
            out.writeNumberProperty("latency", rails.latency());
            out.writeEndObject();
        });
        out.writeObjectPropertyStart("costs");
        costs(out, topology.costs());
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void fabric(JsonGenerator out, Fabric fabric) {
        switch (fabric) {
            case Fabric.Switch links -> {
                out.writeStringProperty("kind", "switch");
                out.writeNumberProperty("link_bandwidth", links.linkBandwidth());
                out.writeNumberProperty("memory_bandwidth", links.memoryBandwidth());
                out.writeNumberProperty("latency", links.latency());
                out.writeBooleanProperty("multicast", links.multicast());
            }
            case Fabric.PointToPoint links -> {
                out.writeStringProperty("kind", "point_to_point");
                out.writeNumberProperty("link_bandwidth", links.linkBandwidth());
                out.writeNumberProperty("memory_bandwidth", links.memoryBandwidth());
                out.writeNumberProperty("latency", links.latency());
            }
            case Fabric.SharedMemory memory -> {
                out.writeStringProperty("kind", "shared_memory");
                out.writeNumberProperty("memory_bandwidth", memory.memoryBandwidth());
                out.writeNumberProperty("latency", memory.latency());
                out.writeNumberProperty("cores", memory.cores());
            }
        }
    }

    private static void costs(JsonGenerator out, Costs costs) {
        out.writeNumberProperty("launch", costs.launch());
        out.writeNumberProperty("operation", costs.operation());
        out.writeNumberProperty("signal", costs.order().signal());
        out.writeNumberProperty("relaxed_signal", costs.order().relaxedSignal());
        out.writeNumberProperty("wait", costs.order().await());
        out.writeNumberProperty("nop", costs.order().threadSync());
        out.writeNumberProperty("barrier", costs.order().barrier());
        out.writeNumberProperty("semaphore", costs.order().semaphore());
        out.writeNumberProperty("proxy_trigger", costs.trigger());
        out.writeNumberProperty("proxy_post", costs.post());
        out.writeNumberProperty("block_copy", costs.rates().copy());
        out.writeNumberProperty("block_reduce", costs.rates().reduce());
        out.writeNumberProperty("block_packets", costs.rates().packets());
    }

    /** Two spaces for each level. */
    private static final class LaidOut extends ObjectWriteContext.Base {
        private final PrettyPrinter layout = new LineLayout();

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return layout;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
