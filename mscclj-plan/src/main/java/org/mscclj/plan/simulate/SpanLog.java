package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.plan.OperationAddress;

/**
 * Keeps what happened when, or does not. A span that is not kept has the number {@link #NONE}.
 *
 * <p>Each span knows what it had to wait for last: the one before it in its block or proxy, or the one that told it to go on. The critical path follows
 * those from the end.
 */
final class SpanLog {
    /** No span. */
    static final int NONE = -1;

    private static final int MOST_SPANS = 1 << 27;
    private static final int FEW = 256;

    private final boolean kept;
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

    SpanLog(boolean kept) {
        this.kept = kept;
    }

    boolean isKept() {
        return kept;
    }

    /**
     * Begins a span.
     *
     * @param before the one before it in its block or proxy
     */
    int open(Agent agent, boolean proxy, double start, int before) {
        if (!kept) {
            return NONE;
        }
        int id = addresses.size();
        if (id == starts.length) {
            grow(2 * id);
        }
        addresses.add(agent.address());
        iterations[id] = agent.iteration();
        byProxy[id] = proxy;
        starts[id] = start;
        readies[id] = start;
        previous[id] = before;
        causes[id] = NONE;
        return id;
    }

    /** Who does an operation, and which. */
    interface Agent {
        OperationAddress address();

        int iteration();
    }

    private void grow(int length) {
        if (length > MOST_SPANS) {
            throw new IllegalStateException("more than " + MOST_SPANS + " spans; simulate without them");
        }
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
        if (span != NONE) {
            starts[span] = time;
            readies[span] = time;
        }
    }

    /** What comes before it is another one than the one that it was opened with. */
    void follows(int span, int before) {
        if (span != NONE && before != NONE) {
            previous[span] = before;
        }
    }

    /** What it waited for has come. */
    void ready(int span, double time) {
        if (span != NONE) {
            readies[span] = time;
        }
    }

    void close(int span, double end, long moved) {
        reach(span, end);
        if (span != NONE) {
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
        if (from != NONE && to != NONE) {
            dependencies.add(new Dependency(from, to, kind));
        }
    }

    /** What came last of all that a span waited for. */
    void cause(int span, int last) {
        if (span != NONE && last != NONE) {
            causes[span] = last;
        }
    }

    double lastEnd() {
        return lastEnd;
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
                lastEnd);
    }

    private List<Integer> criticalPath() {
        List<Integer> path = new ArrayList<>();
        int span = last;
        while (span != NONE) {
            path.add(span);
            boolean waited = readies[span] > starts[span] || previous[span] == NONE;
            span = waited && causes[span] != NONE ? causes[span] : previous[span];
        }
        return path.reversed();
    }
}
