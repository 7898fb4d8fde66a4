package org.mscclj.analysis.picture;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.mscclj.analysis.html.Markup;
import org.mscclj.analysis.html.Template;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Plan;

/**
 * A launch of a plan as one self-contained HTML file: a lane for each thread block and each proxy of a port channel,
 * operations by time or in step order, and arrows from causes to waits.
 */
public final class PlanPicture {
    /** Greatest number of operations of a page, each iteration of a pipeline counted: such a page has about 10 MB. */
    public static final int MAX_OPERATIONS = 150_000;

    /** Greatest number of arrows of a page. */
    public static final int MAX_ARROWS = 4 * MAX_OPERATIONS;

    private static final List<String> SCRIPTS = List.of(
            "timeline",
            "words",
            "rows",
            "view",
            "theme",
            "boxes",
            "arrows",
            "canvas",
            "overview",
            "details",
            "pointer",
            "keys",
            "print",
            "start");

    private PlanPicture() {}

    /**
     * The page. Equal arguments give equal pages.
     *
     * @param plan a valid plan
     * @param timeline a launch of the plan
     * @param facts inputs of the simulation, for example size and topology; shown below the title
     * @throws InvalidArgumentException if the timeline has more than {@link #MAX_OPERATIONS} spans or
     *     {@link #MAX_ARROWS} dependencies, or holds no spans
     */
    public static String html(Plan plan, Timeline timeline, List<String> facts) {
        boolean kept = timeline.spans().size() == timeline.operations();
        if (timeline.operations() > MAX_OPERATIONS || timeline.dependencies().size() > MAX_ARROWS || !kept) {
            throw InvalidArgumentException.of(
                    "a picture's number of operations",
                    timeline.operations(),
                    "at most " + MAX_OPERATIONS + ", with " + MAX_ARROWS
                            + " arrows between them, that the simulation has kept; take a smaller message, for"
                            + " fewer iterations of"
                            + " pipelines, or fewer ranks");
        }
        List<Track> lanes = Tracks.of(plan, timeline);
        return new Template(resource("picture.html"))
                .filled(Map.of(
                        "title", Markup.escaped(PlainText.escape(plan.name())),
                        "style", resource("picture.css"),
                        "facts", facts(plan, timeline, facts),
                        "groups", groups(),
                        "kinds", kinds(),
                        "links", TimelineTables.links(timeline),
                        "path", TimelineTables.criticalPath(plan, timeline),
                        "data", Markup.escapedJson(TimelineJson.of(plan, timeline, lanes)),
                        "script",
                                SCRIPTS.stream()
                                        .map(name -> resource(name + ".js"))
                                        .collect(Collectors.joining("\n"))));
    }

    private static String resource(String name) {
        return Template.text(name, Objects.requireNonNull(PlanPicture.class.getResourceAsStream(name), name));
    }

    private static String facts(Plan plan, Timeline timeline, List<String> more) {
        int blocks = plan.ranks().stream()
                .mapToInt(rank -> rank.threadBlocks().size())
                .sum();
        StringBuilder facts = new StringBuilder();
        fact(facts, plan.collective().label() + (plan.inPlace() ? ", in place" : ", out of place"));
        fact(facts, counted(plan.worldSize(), "rank") + ", " + counted(blocks, "thread block"));
        fact(facts, "protocol " + plan.protocol().label());
        more.forEach(text -> fact(facts, text));
        fact(facts, counted(timeline.spans().size(), "operation") + " in " + QuantityText.nanos(timeline.nanos()));
        return facts.toString();
    }

    private static String counted(int count, String name) {
        return QuantityText.whole(count) + " " + name + (count == 1 ? "" : "s");
    }

    private static void fact(StringBuilder facts, String text) {
        facts.append("<li>").append(Markup.escaped(PlainText.escape(text))).append("</li>\n");
    }

    private static String groups() {
        return Arrays.stream(OperationGroup.values())
                .map(group ->
                        "<li><i class=\"box " + group.key() + "\"></i>" + Markup.escaped(group.label()) + "</li>\n")
                .collect(Collectors.joining());
    }

    private static String kinds() {
        return Arrays.stream(Dependency.Kind.values())
                .map(kind -> "<li><svg class=\"line " + DependencyLabels.key(kind)
                        + "\" width=\"28\" height=\"8\" aria-hidden=\"true\"><line x1=\"0\" y1=\"4\" x2=\"28\""
                        + " y2=\"4\"/></svg>"
                        + Markup.escaped(DependencyLabels.label(kind)) + "</li>\n")
                .collect(Collectors.joining());
    }
}
