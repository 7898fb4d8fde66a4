package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.LinkUse;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.walk.BlockCursor;
import org.mscclj.plan.OperationAddress;

/**
 * Keeps the spans of a launch up to a limit. A span that is not kept has the number {@link #NONE}.
 *
 * <p>Each span holds the last span that it had to wait for: its predecessor in its block or proxy, or the span that
 * notified it. The critical path follows those from the end of the launch.
 */
final class SpanLog {
    /** No span. */
    static final int NONE = -1;

    /** A span has few dependencies, unless it waits for many channels or for packets of many blocks. */
    private static final long MAX_DEPENDENCIES_PER_SPAN = 4;

    private static final int FEW = 256;

    private final int most;
    private boolean kept;
    private long operations;
    private final List<OperationAddress> addresses = new ArrayList<>();
    private final List<Dependency> dependencies = new ArrayList<>();
    private int[] iterations = new int[FEW];
    private boolean[] byProxy = new boolean[FEW];
    private double[] starts = new double[FEW];
    private double[] readies = new double[FEW];
    private double[] ends = new double[FEW];
    private long[] bytes = new long[FEW];
    private int[] previous = new int[FEW];
    private int[] causes = new int[FEW];
    private double lastEnd;
    private int last = NONE;

    /**
     * Creates an empty log.
     *
     * @param most greatest number of spans; if there are more, the log keeps none
     */
    SpanLog(int most) {
        this.most = most;
        this.kept = most > 0;
    }

    boolean isKept() {
        return kept;
    }

    /**
     * Begins a span.
     *
     * @param iteration that of the pipeline, or the turn of a fused block
     * @param before its predecessor in its block or proxy
     */
    int open(BlockCursor cursor, long iteration, boolean proxy, double start, int before) {
        operations++;
        if (!kept) {
            return NONE;
        }
        int id = addresses.size();
        if (id == most) {
            drop();
            return NONE;
        }
        if (id == starts.length) {
            resize(Math.min(2L * id, most));
        }
        addresses.add(cursor.address());
        iterations[id] = Math.toIntExact(iteration);
        byProxy[id] = proxy;
        starts[id] = start;
        readies[id] = start;
        previous[id] = before;
        causes[id] = NONE;
        return id;
    }

    /** Drops all spans; none are kept from now on. */
    private void drop() {
        kept = false;
        addresses.clear();
        dependencies.clear();
        resize(0);
    }

    private boolean isKept(int span) {
        return kept && span != NONE;
    }

    private void resize(long to) {
        int length = (int) to;
        iterations = Arrays.copyOf(iterations, length);
        byProxy = Arrays.copyOf(byProxy, length);
        starts = Arrays.copyOf(starts, length);
        readies = Arrays.copyOf(readies, length);
        ends = Arrays.copyOf(ends, length);
        bytes = Arrays.copyOf(bytes, length);
        previous = Arrays.copyOf(previous, length);
        causes = Arrays.copyOf(causes, length);
    }

    /** Begins a span that was handed to a proxy. */
    void begin(int span, double time) {
        if (isKept(span)) {
            starts[span] = time;
            readies[span] = time;
        }
    }

    /** Replaces the predecessor with which the span was opened. */
    void follows(int span, int before) {
        if (isKept(span) && before != NONE) {
            previous[span] = before;
        }
    }

    /** Sets the time at which all that the span waited for had arrived. */
    void ready(int span, double time) {
        if (isKept(span)) {
            readies[span] = time;
        }
    }

    void close(int span, double end, long moved) {
        reach(span, end);
        if (isKept(span)) {
            ends[span] = end;
            bytes[span] = moved;
        }
    }

    /** Records the known end of a span; the launch ends no earlier. */
    void acknowledged(int span, double time) {
        reach(span, time);
    }

    /** Of several spans with the same end, the one that began first counts. */
    private void reach(int span, double time) {
        if (time > lastEnd || (time == lastEnd && (last == NONE || span < last))) {
            lastEnd = time;
            last = span;
        }
    }

    /** Records that the second span waited for the first, or could have waited. */
    void depends(int from, int to, Dependency.Kind kind) {
        if (isKept(from) && isKept(to)) {
            if (dependencies.size() == MAX_DEPENDENCIES_PER_SPAN * most) {
                drop();
            } else {
                dependencies.add(new Dependency(from, to, kind));
            }
        }
    }

    /** Sets the last span that a span waited for. */
    void cause(int span, int last) {
        if (isKept(span) && last != NONE) {
            causes[span] = last;
        }
    }

    Timeline timeline(List<LinkUse> links) {
        List<Integer> order = IntStream.range(0, addresses.size())
                .boxed()
                .sorted(Comparator.comparing((Integer span) -> byProxy[span])
                        .thenComparingInt(span -> addresses.get(span).rank())
                        .thenComparingInt(span -> addresses.get(span).block())
                        .thenComparingDouble(span -> starts[span]))
                .toList();
        int[] places = new int[order.size()];
        for (int place = 0; place < places.length; place++) {
            places[order.get(place)] = place;
        }
        List<Span> spans = order.stream()
                .map(span -> new Span(
                        addresses.get(span),
                        iterations[span],
                        byProxy[span],
                        starts[span],
                        readies[span],
                        ends[span],
                        bytes[span]))
                .toList();
        List<Dependency> moved = dependencies.stream()
                .map(dependency ->
                        new Dependency(places[dependency.from()], places[dependency.to()], dependency.kind()))
                .toList();
        return new Timeline(
                spans,
                moved,
                links,
                criticalPath().stream().map(span -> places[span]).toList(),
                lastEnd,
                operations);
    }

    private List<Integer> criticalPath() {
        List<Integer> path = new ArrayList<>();
        int span = kept ? last : NONE;
        while (span != NONE) {
            path.add(span);
            boolean waited = readies[span] > starts[span] || previous[span] == NONE;
            span = waited && causes[span] != NONE ? causes[span] : previous[span];
        }
        return path.reversed();
    }
}
