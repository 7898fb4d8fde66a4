package org.mscclj.analysis.simulate.topology;

import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes topology files. {@link TopologyReader} reads back an equal topology. */
public final class TopologyWriter {
    private TopologyWriter() {}

    /** The topology as text. */
    public static String write(Topology topology) {
        return JsonWriter.document(JsonLayout.INDENTED, out -> topology(out, topology));
    }

    private static void topology(JsonWriter out, Topology topology) {
        out.beginObject();
        out.field("name", topology.name());
        out.field("nodes", topology.nodes());
        out.field("ranks_per_node", topology.ranksPerNode());
        out.beginObject("fabric");
        fabric(out, topology.fabric());
        out.end();
        topology.rails().ifPresent(rails -> {
            out.beginObject("rails");
            out.field("bandwidth", rails.bandwidth());
            out.field("latency", rails.latency());
            out.end();
        });
        out.beginObject("costs");
        costs(out, topology.costs());
        out.end();
        out.end();
    }

    private static void fabric(JsonWriter out, Fabric fabric) {
        switch (fabric) {
            case Fabric.Switch links -> {
                out.field("kind", "switch");
                out.field("link_bandwidth", links.linkBandwidth());
                out.field("memory_bandwidth", links.memoryBandwidth());
                out.field("latency", links.latency());
                out.field("read_latency", links.readLatency());
                out.field("read_request", links.readRequest());
                out.field("multicast", links.multicast());
            }
            case Fabric.PointToPoint links -> {
                out.field("kind", "point_to_point");
                out.field("link_bandwidth", links.linkBandwidth());
                out.field("memory_bandwidth", links.memoryBandwidth());
                out.field("latency", links.latency());
            }
            case Fabric.SharedMemory memory -> {
                out.field("kind", "shared_memory");
                out.field("memory_bandwidth", memory.memoryBandwidth());
                out.field("latency", memory.latency());
                out.field("cores", memory.cores());
            }
        }
    }

    private static void costs(JsonWriter out, Costs costs) {
        out.field("launch", costs.launch());
        out.field("begin", costs.begin());
        out.field("operation", costs.operation());
        out.field("signal", costs.order().signal());
        out.field("relaxed_signal", costs.order().relaxedSignal());
        out.field("wait", costs.order().await());
        out.field("nop", costs.order().threadSync());
        out.field("barrier", costs.order().barrier());
        out.field("semaphore", costs.order().semaphore());
        out.field("proxy_trigger", costs.trigger());
        out.field("proxy_post", costs.post());
        out.field("block_copy", costs.rates().copy());
        out.field("block_reduce", costs.rates().reduce());
        out.field("block_packets", costs.rates().packets());
        costs.fused().ifPresent(fused -> {
            out.field("fused_begin", fused.begin());
            out.field("fused_reaction", fused.reaction());
            out.field("fused_lines", fused.lines());
        });
    }
}
