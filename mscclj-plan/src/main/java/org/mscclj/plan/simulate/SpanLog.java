package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.walk.BlockCursor;

/**
 * Keeps what happened when, as long as that is not too much. A span that is not kept has the number {@link #NONE}.
 *
 * <p>Each span knows what it had to wait for last: the one before it in its block or proxy, or the one that told it to
 * go on. The critical path follows those from the end.
 */
final class SpanLog {
    /** No span. */
    static final int NONE = -1;

    /** A span has few dependencies, unless it waits for many channels or for packets of many blocks. */
    private static final long MOST_DEPENDENCIES_PER_SPAN = 4;

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
     * A log of nothing.
     *
     * @param most spans that it keeps; if there are more, it keeps none
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
     * @param before the one before it in its block or proxy
     */
    int open(BlockCursor cursor, boolean proxy, double start, int before) {
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
        iterations[id] = Math.toIntExact(cursor.iteration());
        byProxy[id] = proxy;
        starts[id] = start;
        readies[id] = start;
        previous[id] = before;
        causes[id] = NONE;
        return id;
    }

    /** From now on nothing is kept. */
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

    /** The proxy that it was handed over to begins with it. */
    void begin(int span, double time) {
        if (isKept(span)) {
            starts[span] = time;
            readies[span] = time;
        }
    }

    /** What comes before it is another one than the one that it was opened with. */
    void follows(int span, int before) {
        if (isKept(span) && before != NONE) {
            previous[span] = before;
        }
    }

    /** What it waited for has come. */
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

    /** It is known to have ended; a launch ends no sooner. */
    void acknowledged(int span, double time) {
        reach(span, time);
    }

    /** Of several that are last, the first to have begun counts. */
    private void reach(int span, double time) {
        if (time > lastEnd || (time == lastEnd && (last == NONE || span < last))) {
            lastEnd = time;
            last = span;
        }
    }

    /** The one made the other wait, or could have. */
    void depends(int from, int to, Dependency.Kind kind) {
        if (isKept(from) && isKept(to)) {
            if (dependencies.size() == MOST_DEPENDENCIES_PER_SPAN * most) {
                drop();
            } else {
                dependencies.add(new Dependency(from, to, kind));
            }
        }
    }

    /** What came last of all that a span waited for. */
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
