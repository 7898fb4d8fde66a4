package org.mscclj.analysis.picture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/**
 * A timeline in the format of the page's script: columns with short text. Spans are numbered lane by lane;
 * {@code count} holds the number of spans of each lane. {@code position}, {@code iteration}, {@code start} and
 * {@code step} are differences to the span before in the lane, for {@code start} to its end. Times are in tenths of a
 * nanosecond. A column of zeros is empty.
 */
final class TimelineJson {
    private static final double UNITS_PER_NANO = 10;

    private final Plan plan;
    private final Timeline timeline;
    private final List<Track> lanes;
    private final int[] order;
    private final int[] numbers;
    private final JsonWriter json = new JsonWriter(JsonLayout.COMPACT);

    private TimelineJson(Plan plan, Timeline timeline, List<Track> lanes) {
        this.plan = plan;
        this.timeline = timeline;
        this.lanes = lanes;
        order = lanes.stream()
                .flatMap(lane -> lane.spans().stream())
                .mapToInt(Integer::intValue)
                .toArray();
        numbers = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            numbers[order[i]] = i;
        }
    }

    static String of(Plan plan, Timeline timeline, List<Track> lanes) {
        return new TimelineJson(plan, timeline, lanes).write();
    }

    private String write() {
        json.beginObject();
        json.field("nanos", timeline.nanos());
        json.strings(
                "groups",
                Arrays.stream(OperationGroup.values()).map(OperationGroup::key).toList());
        ranks();
        json.integers("count", lanes.stream().mapToLong(lane -> lane.spans().size()));
        operations();
        spans();
        dependencies();
        json.integers("critical", timeline.criticalPath().stream().mapToLong(i -> numbers[i]));
        return json.end().toString();
    }

    /** Blocks are counted, since their names are their numbers. */
    private void ranks() {
        Map<Integer, List<String>> proxies = lanes.stream()
                .filter(Track::byProxy)
                .collect(Collectors.groupingBy(Track::rank, Collectors.mapping(Track::name, Collectors.toList())));
        json.beginArray("ranks");
        for (RankPlan rank : plan.ranks()) {
            json.beginObject();
            json.field("blocks", rank.threadBlocks().size());
            json.strings("proxies", proxies.getOrDefault(rank.rank(), List.of()));
            json.end();
        }
        json.end();
    }

    private void operations() {
        AddressedOperations operations = new AddressedOperations(plan);
        Map<String, Integer> ids = new LinkedHashMap<>();
        Map<OperationAddress, Integer> known = new HashMap<>();
        List<OperationGroup> groups = new ArrayList<>();
        long[] column = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            OperationAddress address = timeline.spans().get(order[i]).address();
            column[i] = known.computeIfAbsent(address, _ -> {
                int id = ids.computeIfAbsent(operations.text(address), _ -> ids.size());
                if (id == groups.size()) {
                    groups.add(OperationGroup.of(operations.at(address)));
                }
                return id;
            });
        }
        json.strings("texts", List.copyOf(ids.keySet()));
        json.strings("groupOfText", groups.stream().map(OperationGroup::key).toList());
        column("text", column);
    }

    private void spans() {
        Map<String, long[]> columns = new LinkedHashMap<>();
        for (String name : List.of("position", "inner", "iteration", "start", "wait", "time", "bytes", "step")) {
            columns.put(name, new long[order.length]);
        }
        int[] steps = StepOrder.of(lanes, timeline);
        int i = 0;
        for (Track lane : lanes) {
            long end = 0;
            int position = 0;
            int iteration = 0;
            int step = -1;
            for (int index : lane.spans()) {
                Span span = timeline.spans().get(index);
                set(columns, "position", i, span.address().position() - position);
                set(columns, "inner", i, span.address().inner().orElse(-1) + 1L);
                set(columns, "iteration", i, span.iteration() - iteration);
                set(columns, "start", i, units(span.start()) - end);
                set(columns, "wait", i, units(span.ready()) - units(span.start()));
                set(columns, "time", i, units(span.end()) - units(span.ready()));
                set(columns, "bytes", i, span.bytes());
                set(columns, "step", i, steps[index] - step - 1L);
                end = units(span.end());
                position = span.address().position();
                iteration = span.iteration();
                step = steps[index];
                i++;
            }
        }
        columns.forEach(this::column);
    }

    private static void set(Map<String, long[]> columns, String name, int i, long value) {
        columns.getOrDefault(name, new long[0])[i] = value;
    }

    private static long units(double nanos) {
        return Math.round(nanos * UNITS_PER_NANO);
    }

    /** Sorted by the waiting span, so that differences are small. */
    private void dependencies() {
        List<Dependency> sorted = timeline.dependencies().stream()
                .sorted(Comparator.comparingInt((Dependency dependency) -> numbers[dependency.to()])
                        .thenComparingInt(dependency -> numbers[dependency.from()]))
                .toList();
        List<Dependency.Kind> kinds = List.of(Dependency.Kind.values());
        json.strings("kinds", kinds.stream().map(DependencyLabels::key).toList());
        json.integers("from", sorted.stream().mapToLong(d -> numbers[d.from()] - numbers[d.to()]));
        json.integers(
                "to",
                IntStream.range(0, sorted.size())
                        .mapToLong(i -> numbers[sorted.get(i).to()]
                                - (i == 0 ? 0 : numbers[sorted.get(i - 1).to()])));
        json.integers("kind", sorted.stream().mapToLong(d -> kinds.indexOf(d.kind())));
    }

    private void column(String name, long[] values) {
        json.integers(
                name, Arrays.stream(values).anyMatch(value -> value != 0) ? Arrays.stream(values) : LongStream.empty());
    }
}
