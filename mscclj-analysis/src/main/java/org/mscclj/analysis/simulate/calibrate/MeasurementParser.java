package org.mscclj.analysis.simulate.calibrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.ObjectShape;

/** Parses a report of {@code mscclj perf}. */
final class MeasurementParser {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Map<String, Collective> COLLECTIVES = new LinkedHashMap<>();

    static {
        for (Collective collective : Collective.values()) {
            COLLECTIVES.put(collective.label(), collective);
        }
    }

    private static final ObjectShape SHAPE =
            ObjectShape.of(List.of("collective", "ranks", "ranks_per_node", "results"), List.of("root"));
    private static final ObjectShape ROW = ObjectShape.of(List.of("size"), List.of("out_of_place", "in_place"));
    private static final ObjectShape TIME = ObjectShape.of(List.of("algorithm", "time_us"), List.of());

    private final JsonCursor in;
    private @Nullable Collective collective;
    private int ranks;
    private int ranksPerNode;
    private int root;
    private List<Row> rows = List.of();

    /** One size. */
    private record Row(
            long size, @Nullable Time outOfPlace, @Nullable Time inPlace) {}

    /** One time. */
    private record Time(String algorithm, double micros) {}

    private MeasurementParser(JsonCursor in) {
        this.in = in;
    }

    static List<MeasuredTime> times(JsonCursor in) {
        return new MeasurementParser(in).read();
    }

    private List<MeasuredTime> read() {
        in.object(SHAPE, this::value);
        List<MeasuredTime> times = new ArrayList<>();
        for (Row row : rows) {
            add(times, row, false, row.outOfPlace);
            add(times, row, true, row.inPlace);
        }
        return times;
    }

    private void add(List<MeasuredTime> times, Row row, boolean inPlace, @Nullable Time time) {
        if (time != null && collective != null) {
            Collective measured = collective;
            times.add(in.checked(() -> new MeasuredTime(
                    time.algorithm,
                    measured,
                    ranks,
                    ranksPerNode,
                    root,
                    inPlace,
                    row.size,
                    time.micros * NANOS_PER_MICRO)));
        }
    }

    private void value(String key) {
        switch (key) {
            case "collective" -> collective = in.oneOf(COLLECTIVES);
            case "ranks" -> ranks = in.count();
            case "ranks_per_node" -> ranksPerNode = in.count();
            case "root" -> root = root();
            case "results" -> rows = in.list(this::row);
            default -> throw new AssertionError(key);
        }
    }

    /** As in nccl-tests, -1 means none. */
    private int root() {
        double root = in.number();
        if (root != Math.rint(root) || root < -1 || root > Integer.MAX_VALUE) {
            throw in.error("given is " + root + "; allowed: a rank, or -1 for none");
        }
        return (int) Math.max(0, root);
    }

    private Row row() {
        RowReader row = new RowReader();
        in.object(ROW, row::value);
        return new Row(row.size, row.outOfPlace, row.inPlace);
    }

    /** Collects the values of one size. */
    private final class RowReader {
        private long size;
        private @Nullable Time outOfPlace;
        private @Nullable Time inPlace;

        void value(String key) {
            switch (key) {
                case "size" -> size = in.longCount();
                case "out_of_place" -> outOfPlace = time();
                case "in_place" -> inPlace = time();
                default -> throw new AssertionError(key);
            }
        }
    }

    /** A time; null if nothing was measured, or the result was wrong. */
    private @Nullable Time time() {
        if (in.isNull()) {
            return null;
        }
        List<String> algorithm = new ArrayList<>();
        List<Double> micros = new ArrayList<>();
        in.object(TIME, key -> {
            if (key.equals("algorithm")) {
                algorithm.add(in.string());
            } else if (!in.isNull()) {
                micros.add(micros());
            }
        });
        return micros.isEmpty() ? null : new Time(algorithm.getFirst(), micros.getFirst());
    }

    private double micros() {
        double micros = in.number();
        if (!(micros > 0)) {
            throw in.error("given is " + micros + "; allowed: more than 0, or null if nothing was measured");
        }
        return micros;
    }
}
