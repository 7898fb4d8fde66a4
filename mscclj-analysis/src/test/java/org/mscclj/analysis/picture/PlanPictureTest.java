package org.mscclj.analysis.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;

/** The page is one self-contained file, and holds every operation of the timeline. */
class PlanPictureTest {
    private static final double ROUNDED = 0.051;

    private record Expected(String lane, String text, Span span) {}

    static Stream<Plan> plans() {
        return Stream.concat(
                Stream.of(DrawnPlans.pipeline(), DrawnPlans.put("put")),
                Stream.of(ShippedProgram.PACKETS, ShippedProgram.RING, ShippedProgram.PORT, ShippedProgram.MULTICAST)
                        .map(program -> program.plan(ProgramSpec.of(Collective.ALLREDUCE, 4)
                                .inPlace(true)
                                .blocks(2))));
    }

    /** The text between two texts, at the first occurrence. */
    private static String between(String html, String before, String after) {
        int from = html.indexOf(before) + before.length();
        assertTrue(from >= before.length(), before);
        return html.substring(from, html.indexOf(after, from));
    }

    private static PageData data(String html) {
        return new PageData(between(html, "id=\"timeline\">", "</script>"));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void pageHoldsEveryOperationWithItsTimes(Plan plan) {
        Timeline timeline = DrawnPlans.simulated(plan);
        PageData data = data(PlanPicture.html(plan, timeline, List.of()));
        assertEquals(timeline.spans().size(), data.drawn.size());
        List<Track> lanes = Tracks.of(plan, timeline);
        AddressedOperations operations = new AddressedOperations(plan);
        List<Expected> expected = lanes.stream()
                .flatMap(lane -> lane.spans().stream().map(i -> {
                    Span span = timeline.spans().get(i);
                    return new Expected(lane.name(), operations.text(span.address()), span);
                }))
                .toList();
        for (int i = 0; i < expected.size(); i++) {
            Span span = expected.get(i).span();
            PageData.Drawn drawn = data.drawn.get(i);
            OperationAddress address = drawn.span().address();
            assertEquals(expected.get(i).lane(), drawn.lane());
            assertEquals(expected.get(i).text(), drawn.text());
            int block = span.byProxy() ? -1 : span.address().block();
            assertEquals(
                    new OperationAddress(
                            span.address().rank(),
                            block,
                            span.address().position(),
                            span.address().inner()),
                    address);
            assertEquals(span.iteration(), drawn.span().iteration());
            assertEquals(span.bytes(), drawn.span().bytes());
            assertEquals(span.start(), drawn.span().start(), ROUNDED);
            assertEquals(span.ready(), drawn.span().ready(), ROUNDED);
            assertEquals(span.end(), drawn.span().end(), ROUNDED);
        }
        List<Integer> order =
                lanes.stream().flatMap(lane -> lane.spans().stream()).toList();
        assertEquals(
                sorted(timeline.dependencies().stream()),
                sorted(data.dependencies.stream()
                        .map(d -> new Dependency(order.get(d.from()), order.get(d.to()), d.kind()))));
        assertEquals(
                timeline.criticalPath(),
                data.column("critical").stream()
                        .map(i -> order.get(Integer.parseInt(i)))
                        .toList());
    }

    private static List<String> sorted(Stream<Dependency> dependencies) {
        return dependencies.map(Dependency::toString).sorted().toList();
    }

    @Test
    void proxyHasItsOwnLane() {
        PageData data = data(PlanPicture.html(DrawnPlans.put("put"), DrawnPlans.putTimeline(), List.of()));
        assertEquals(
                List.of(
                        "block 0",
                        "block 0",
                        "block 0",
                        "proxy #0 (rank 1)",
                        "proxy #0 (rank 1)",
                        "block 0",
                        "block 0"),
                data.drawn.stream().map(PageData.Drawn::lane).toList());
        assertEquals(1200, data.drawn.get(3).span().start(), ROUNDED);
        assertEquals(4096, data.drawn.get(3).span().bytes());
    }

    @Test
    void pageIsSelfContained() {
        String html = PlanPicture.html(DrawnPlans.put("put"), DrawnPlans.putTimeline(), List.of("64 KiB"));
        assertTrue(html.startsWith("<!DOCTYPE html>"));
        assertFalse(
                Pattern.compile(
                                "\\b(src|href|srcset|data|action)\\s*=\\s*\"|url\\(|@import|\\bfetch\\(|XMLHttpRequest|import\\(")
                        .matcher(html)
                        .find(),
                "refers to another file");
        assertFalse(html.replace("http://www.w3.org/", "").contains("://"), "refers to another site");
        assertTrue(html.contains("default-src 'none'"), "the page must forbid the browser to fetch resources");
        assertFalse(html.contains("{{"), "a place is not filled");
        assertEquals("put", between(html, "<h1>", "</h1>"));
        assertTrue(html.contains("<li>64 KiB</li>"));
        String words = between(html, "<section class=\"words\">", "</section>");
        assertTrue(words.contains("<td>rank 0 out</td><td>50.0 GB/s</td>"), words);
        assertTrue(words.contains("<td>rank 0, block 0, op 0, proxy</td>"), words);
    }

    @Test
    void foreignTextIsEscaped() {
        String name = "</title><script>alert(1)</script>\"'&amp;]]>\u2028\u0007\ud800{{data}}$1\\";
        String html = PlanPicture.html(DrawnPlans.put(name), DrawnPlans.putTimeline(), List.of(name));
        assertFalse(html.contains("<script>alert"), "markup of a name is markup of the page");
        String shown =
                "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;amp;]]&gt;\\u2028\\u0007\\ud800{{data}}$1\\";
        assertEquals(shown, between(html, "<title>", "</title>"));
        assertEquals(shown, between(html, "<h1>", "</h1>"));
        assertTrue(html.contains("<li>" + shown + "</li>"));
    }

    @Test
    void equalArgumentsGiveEqualPages() {
        Plan plan = ShippedProgram.PORT.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true).blocks(2));
        assertEquals(
                PlanPicture.html(plan, DrawnPlans.simulated(plan), List.of("64 KiB")),
                PlanPicture.html(plan, DrawnPlans.simulated(plan), List.of("64 KiB")));
    }

    @Test
    void eightRanksOf32BlocksAreAPageOfModestSize() {
        Plan plan = ShippedProgram.RING.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 8).inPlace(true).blocks(32));
        String html = PlanPicture.html(plan, DrawnPlans.simulated(plan), List.of());
        assertTrue(html.length() < 1_500_000, html.length() + " characters");
    }

    @Test
    void tooManyOperationsAreRefused() {
        Span span = new Span(OperationAddress.of(0, 0, 0), 0, false, 0, 0, 0, 0);
        Timeline timeline = new Timeline(
                Collections.nCopies(PlanPicture.MAX_OPERATIONS + 1, span),
                List.of(),
                List.of(),
                List.of(),
                0,
                PlanPicture.MAX_OPERATIONS + 1L);
        InvalidArgumentException refusal = assertThrows(
                InvalidArgumentException.class, () -> PlanPicture.html(DrawnPlans.put("put"), timeline, List.of()));
        assertTrue(String.valueOf(refusal.getMessage()).contains("is 150001; allowed: at most 150000"));
    }

    @Test
    void timelineWithoutSpansIsRefused() {
        Timeline timeline = new Timeline(List.of(), List.of(), List.of(), List.of(), 7, 1L << 33);
        InvalidArgumentException refusal = assertThrows(
                InvalidArgumentException.class, () -> PlanPicture.html(DrawnPlans.put("put"), timeline, List.of()));
        assertTrue(String.valueOf(refusal.getMessage()).contains("is 8589934592; allowed: at most 150000"));
    }

    @Test
    void anEmptyTimelineIsAPageToo() {
        Timeline nothing = new Timeline(List.of(), List.of(), List.of(), List.of(), 0, 0);
        assertEquals(List.of(), data(PlanPicture.html(DrawnPlans.put("put"), nothing, List.of())).drawn);
    }

    @Test
    void causesAreLeftOfTheirEffects() {
        for (Plan plan : plans().toList()) {
            Timeline timeline = DrawnPlans.simulated(plan);
            List<Track> lanes = Tracks.of(plan, timeline);
            int[] steps = StepOrder.of(lanes, timeline);
            for (Dependency dependency : timeline.dependencies()) {
                assertTrue(steps[dependency.from()] < steps[dependency.to()], plan.name() + ": " + dependency);
            }
            for (Track lane : lanes) {
                IntStream.range(1, lane.spans().size())
                        .forEach(i -> assertTrue(
                                steps[lane.spans().get(i - 1)]
                                        < steps[lane.spans().get(i)],
                                plan.name()));
            }
        }
    }

    @Test
    void spansThatWaitForEachOtherAreOrderedByTime() {
        Span first = new Span(OperationAddress.of(0, 0, 0), 0, false, 0, 5, 6, 0);
        Span second = new Span(OperationAddress.of(1, 0, 0), 0, false, 2, 5, 7, 0);
        Timeline timeline = new Timeline(
                List.of(first, second),
                List.of(new Dependency(0, 1, Dependency.Kind.BARRIER), new Dependency(1, 0, Dependency.Kind.BARRIER)),
                List.of(),
                List.of(),
                7,
                2);
        List<Track> lanes =
                List.of(new Track(0, false, "block 0", List.of(0)), new Track(1, false, "block 0", List.of(1)));
        assertEquals(
                List.of(0, 1),
                IntStream.of(StepOrder.of(lanes, timeline)).boxed().toList());
    }
}
