package org.mscclj.analysis.picture;

import java.util.Comparator;
import java.util.List;
import org.mscclj.analysis.html.Markup;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Plan;

/** The tables below the picture: the load of the links, and the critical path. */
final class TimelineTables {
    private static final int MAX_LINKS = 100;
    private static final int MAX_STEPS = 200;

    private TimelineTables() {}

    /** Rows of a table, the most loaded link first, as in mscclj simulate. */
    static String links(Timeline timeline) {
        StringBuilder rows = new StringBuilder();
        List<LinkUse> links = timeline.links().stream()
                .sorted(Comparator.comparingDouble(LinkUse::load).reversed().thenComparing(LinkUse::link))
                .toList();
        for (LinkUse link : links.subList(0, Math.min(MAX_LINKS, links.size()))) {
            row(
                    rows,
                    PlainText.escape(link.link()),
                    QuantityText.bandwidth(link.bandwidth()),
                    QuantityText.whole(link.bytes()),
                    QuantityText.nanos(link.busy()),
                    timeline.nanos() == 0 ? "-" : QuantityText.percent(link.busy() / timeline.nanos()));
        }
        rest(rows, links.size() - MAX_LINKS, "links with less load");
        return rows.toString();
    }

    /** Rows of a table, first to last. */
    static String criticalPath(Plan plan, Timeline timeline) {
        StringBuilder rows = new StringBuilder();
        AddressedOperations operations = new AddressedOperations(plan);
        List<Integer> path = timeline.criticalPath();
        for (int index : path.subList(0, Math.min(MAX_STEPS, path.size()))) {
            Span span = timeline.spans().get(index);
            row(
                    rows,
                    span.address() + (span.byProxy() ? ", proxy" : ""),
                    operations.text(span.address()),
                    QuantityText.nanos(span.start()),
                    QuantityText.nanos(span.waited()),
                    QuantityText.nanos(span.end()));
        }
        rest(rows, path.size() - MAX_STEPS, "operations after these");
        return rows.toString();
    }

    private static void row(StringBuilder rows, String... cells) {
        rows.append("<tr>");
        for (String cell : cells) {
            rows.append("<td>").append(Markup.escaped(cell)).append("</td>");
        }
        rows.append("</tr>\n");
    }

    private static void rest(StringBuilder rows, int count, String what) {
        if (count > 0) {
            row(rows, "and " + count + " " + what, "", "", "", "");
        }
    }
}
