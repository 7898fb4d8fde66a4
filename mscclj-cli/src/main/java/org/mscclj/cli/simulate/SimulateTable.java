package org.mscclj.cli.simulate;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.cli.report.Decimal;
import org.mscclj.plan.Plan;

/** Prints predictions with the columns of nccl-tests, and the bottlenecks of the last one. */
final class SimulateTable {
    private static final int MAX_LINKS = 8;
    private static final double PERCENT = 100;
    private static final String REST = " %8s %12s %8s %8s %7s  %s";

    private final PrintWriter out;

    SimulateTable(PrintWriter out) {
        this.out = out;
    }

    void header(Plan plan, Topology topology) {
        out.printf(
                Locale.ROOT,
                "# simulated: %s, %s, %d ranks%n",
                plan.collective(),
                plan.inPlace() ? "in place" : "out of place",
                plan.worldSize());
        out.printf(
                Locale.ROOT,
                "# topology %s: %d node%s of %d%n#%n",
                topology.label(),
                topology.nodes(),
                topology.nodes() == 1 ? "" : "s",
                topology.ranksPerNode());
        line("#%13s", "size", "rounds", "time", "algbw", "busbw", "blocks", "plan");
        line("#%13s", "(B)", "", "(us)", "(GB/s)", "(GB/s)", "", "");
        out.flush();
    }

    void row(SimulatedSize result) {
        line(
                "%14s",
                result.messageBytes(),
                result.prediction().rounds(),
                Decimal.of(result.micros()),
                Decimal.of(result.algorithmBandwidth()),
                Decimal.of(result.busBandwidth()),
                result.blocks(),
                result.plan().label());
        out.flush();
    }

    private void line(String first, Object... cells) {
        out.println(String.format(Locale.ROOT, first + REST, cells).stripTrailing());
    }

    /** Prints the busiest links and the critical path. */
    void details(SimulatedSize result) {
        Timeline timeline = result.prediction().round();
        String what = result.prediction().rounds() > 1
                ? ", first of " + result.prediction().rounds() + " rounds"
                : "";
        out.printf(Locale.ROOT, "#%n# busiest links, %d bytes%s%n", result.messageBytes(), what);
        List<LinkUse> links = timeline.links().stream()
                .sorted(Comparator.comparingDouble(LinkUse::load).reversed())
                .toList();
        for (LinkUse link : links.subList(0, Math.min(MAX_LINKS, links.size()))) {
            out.printf(
                    Locale.ROOT,
                    "#   %-20s %6.1f %% of what it could carry, busy %5.1f %% of the time: %d bytes at %.1f GB/s%n",
                    link.link(),
                    PERCENT * link.load() / timeline.nanos(),
                    PERCENT * link.busy() / timeline.nanos(),
                    link.bytes(),
                    link.bandwidth());
        }
        if (links.size() > MAX_LINKS) {
            out.printf(Locale.ROOT, "#   and %d links more%n", links.size() - MAX_LINKS);
        }
        out.printf(Locale.ROOT, "#%n# critical path%s%n", what);
        if (timeline.spans().isEmpty()) {
            out.println("#   not kept, as the launch has " + timeline.operations() + " operations");
        }
        new PathText(result.plan(), timeline).lines().forEach(text -> out.println("#   " + text));
        out.flush();
    }
}
