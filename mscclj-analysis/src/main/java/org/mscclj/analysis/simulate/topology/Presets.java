package org.mscclj.analysis.simulate.topology;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Machines with a name. A comment at each constant of {@link H200}, {@link Mi250x}, {@link Mi300x}, {@link Mi355x} and
 * {@link Host} gives its unit, and says whether it is measured, fitted to measured times of collectives, nominal (of
 * the maker or a standard), or chosen by us without a measurement.
 */
public final class Presets {
    /** The names, for messages and help. */
    public static final String NAMES =
            "h200x4, h200x8, h200x8-nodes:N (N nodes of 8, 2 to 512), mi250x8, mi300x8, mi355x8, host";

    /** Greatest number of nodes of a preset. */
    public static final int MAX_NODES = 512;

    private static final Pattern NODES = Pattern.compile("h200x8-nodes:(\\d{1,4})");

    private static final int EIGHT = 8;

    /** More ranks than anyone simulates on one host. */
    private static final int HOST_RANKS = 1024;

    private Presets() {}

    /** The preset with a name; empty if there is none. */
    public static Optional<Topology> find(String name) {
        return switch (name) {
            case "h200x4" -> Optional.of(h200(name, 1, EIGHT / 2));
            case "h200x8" -> Optional.of(h200(name, 1, EIGHT));
            case "mi250x8" -> Optional.of(amd(name, Mi250x.FABRIC));
            case "mi300x8" -> Optional.of(amd(name, Mi300x.FABRIC));
            case "mi355x8" -> Optional.of(amd(name, Mi355x.FABRIC));
            case "host" -> Optional.of(new Topology(name, 1, HOST_RANKS, Host.FABRIC, Optional.empty(), Host.COSTS));
            default -> severalNodes(name);
        };
    }

    private static Optional<Topology> severalNodes(String name) {
        Matcher matcher = NODES.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int nodes = Integer.parseInt(matcher.group(1));
        if (nodes < 2 || nodes > MAX_NODES) {
            throw InvalidArgumentException.of(
                    "number of nodes of " + name, nodes, "2 to " + MAX_NODES + "; one node is h200x8");
        }
        return Optional.of(h200(name, nodes, EIGHT));
    }

    private static Topology amd(String name, Fabric fabric) {
        return new Topology(name, 1, EIGHT, fabric, Optional.empty(), Mi300x.COSTS);
    }

    private static Topology h200(String name, int nodes, int perNode) {
        return new Topology(
                name, nodes, perNode, H200.FABRIC, nodes == 1 ? Optional.empty() : Optional.of(H200.RAILS), H200.COSTS);
    }
}
