package org.mscclj.analysis.simulate.topology;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Parses a topology file. */
final class TopologyParser {
    private static final ObjectShape SHAPE =
            ObjectShape.of(List.of("name", "nodes", "ranks_per_node", "fabric", "costs"), List.of("rails"));
    private static final ObjectShape FABRIC = ObjectShape.of(
            List.of("kind", "memory_bandwidth", "latency"),
            List.of("link_bandwidth", "read_latency", "read_request", "multicast", "cores"));
    private static final ObjectShape RAILS = ObjectShape.of(List.of("bandwidth", "latency"), List.of());

    /** The keys of costs, in the order in which they are written. */
    static final List<String> COSTS = List.of(
            "launch",
            "begin",
            "operation",
            "signal",
            "relaxed_signal",
            "wait",
            "nop",
            "barrier",
            "semaphore",
            "proxy_trigger",
            "proxy_post",
            "block_copy",
            "block_reduce",
            "block_packets");

    /** The keys of the costs of fused blocks: all of them, or none. */
    private static final List<String> FUSED = List.of("fused_begin", "fused_reaction", "fused_lines");

    private static final ObjectShape COSTS_SHAPE = ObjectShape.of(COSTS, FUSED);

    /** The kinds of fabric. */
    enum Kind {
        SWITCH,
        POINT_TO_POINT,
        SHARED_MEMORY
    }

    private static final Map<String, Kind> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put("switch", Kind.SWITCH);
        KINDS.put("point_to_point", Kind.POINT_TO_POINT);
        KINDS.put("shared_memory", Kind.SHARED_MEMORY);
    }

    private final JsonCursor in;
    private String name = "";
    private int nodes;
    private int ranksPerNode;
    private @Nullable Fabric fabric;
    private @Nullable Costs costs;
    private Optional<Rails> rails = Optional.empty();

    // Values of a fabric.
    private @Nullable Kind kind;
    private double memoryBandwidth;
    private double latency;
    private @Nullable Double linkBandwidth;
    private @Nullable Double readLatency;
    private @Nullable Double readRequest;
    private @Nullable Boolean multicast;
    private @Nullable Integer cores;

    private TopologyParser(JsonCursor in) {
        this.in = in;
    }

    static Topology topology(JsonCursor in) {
        return new TopologyParser(in).read();
    }

    private Topology read() {
        in.object(SHAPE, this::value);
        if (fabric == null || costs == null) {
            throw in.missing("fabric or costs");
        }
        Fabric readFabric = fabric;
        Costs readCosts = costs;
        return in.checked(() -> new Topology(name, nodes, ranksPerNode, readFabric, rails, readCosts));
    }

    private void value(String key) {
        switch (key) {
            case "name" -> name = in.string();
            case "nodes" -> nodes = in.count();
            case "ranks_per_node" -> ranksPerNode = in.count();
            case "fabric" -> fabric = fabric();
            case "costs" -> costs = costs();
            case "rails" -> rails = Optional.of(rails());
            default -> throw new AssertionError(key);
        }
    }

    private Fabric fabric() {
        in.object(FABRIC, this::fabricValue);
        return switch (kind) {
            case null -> throw in.missing("kind");
            case SWITCH -> {
                double link = required("link_bandwidth", linkBandwidth);
                double read = required("read_latency", readLatency);
                double request = required("read_request", readRequest);
                boolean reduces = required("multicast", multicast);
                yield in.checked(() -> new Fabric.Switch(link, memoryBandwidth, latency, read, request, reduces));
            }
            case POINT_TO_POINT -> {
                double link = required("link_bandwidth", linkBandwidth);
                yield in.checked(() -> new Fabric.PointToPoint(link, memoryBandwidth, latency));
            }
            case SHARED_MEMORY -> {
                int shared = required("cores", cores);
                yield in.checked(() -> new Fabric.SharedMemory(memoryBandwidth, latency, shared));
            }
        };
    }

    private void fabricValue(String key) {
        switch (key) {
            case "kind" -> kind = in.oneOf(KINDS);
            case "memory_bandwidth" -> memoryBandwidth = in.number();
            case "latency" -> latency = in.number();
            case "link_bandwidth" -> linkBandwidth = in.number();
            case "read_latency" -> readLatency = in.number();
            case "read_request" -> readRequest = in.number();
            case "multicast" -> multicast = in.bool();
            case "cores" -> cores = in.count();
            default -> throw new AssertionError(key);
        }
    }

    private <T> T required(String key, @Nullable T value) {
        if (value == null) {
            throw in.missing(key);
        }
        return value;
    }

    private Rails rails() {
        Map<String, Double> values = numbers(RAILS);
        return in.checked(() -> new Rails(number(values, "bandwidth"), number(values, "latency")));
    }

    private Costs costs() {
        Map<String, Double> values = numbers(COSTS_SHAPE);
        boolean fuses = FUSED.stream().anyMatch(values::containsKey);
        if (fuses) {
            FUSED.forEach(key -> required(key, values.get(key)));
        }
        return in.checked(() -> new Costs(
                number(values, "launch"),
                number(values, "begin"),
                number(values, "operation"),
                new OrderCosts(
                        number(values, "signal"),
                        number(values, "relaxed_signal"),
                        number(values, "wait"),
                        number(values, "nop"),
                        number(values, "barrier"),
                        number(values, "semaphore")),
                number(values, "proxy_trigger"),
                number(values, "proxy_post"),
                new BlockRates(
                        number(values, "block_copy"), number(values, "block_reduce"), number(values, "block_packets")),
                fuses ? Optional.of(fused(values)) : Optional.empty()));
    }

    private FusedCosts fused(Map<String, Double> values) {
        return new FusedCosts(
                number(values, "fused_begin"), number(values, "fused_reaction"), number(values, "fused_lines"));
    }

    private Map<String, Double> numbers(ObjectShape shape) {
        Map<String, Double> values = new HashMap<>();
        in.object(shape, key -> values.put(key, in.number()));
        return values;
    }

    private double number(Map<String, Double> values, String key) {
        return required(key, values.get(key));
    }
}
