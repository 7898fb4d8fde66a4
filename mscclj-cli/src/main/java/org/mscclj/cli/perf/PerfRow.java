package org.mscclj.cli.perf;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.cli.check.CallShape;

/**
 * What came out for one size.
 *
 * @param measurements by placement, at least one
 */
record PerfRow(Map<Placement, Measurement> measurements) {
    PerfRow {
        measurements = Map.copyOf(measurements);
    }

    /** Type, count and size, which are those of every placement. */
    CallShape shape() {
        return all().findFirst().orElseThrow().shape();
    }

    Optional<Measurement> of(Placement placement) {
        return Optional.ofNullable(measurements.get(placement));
    }

    /** In the order of the columns. */
    Stream<Measurement> all() {
        return Arrays.stream(Placement.values()).flatMap(placement -> of(placement).stream());
    }
}
