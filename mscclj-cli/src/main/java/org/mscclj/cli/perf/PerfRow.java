package org.mscclj.cli.perf;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.cli.check.CheckedCall;

/**
 * The results for one size.
 *
 * @param measurements the results by placement, at least one
 */
record PerfRow(Map<BufferPlacement, Measurement> measurements) {
    PerfRow {
        measurements = Map.copyOf(measurements);
    }

    /** Returns type, count and size, which all placements share. */
    CheckedCall shape() {
        return all().findFirst().orElseThrow().shape();
    }

    Optional<Measurement> of(BufferPlacement placement) {
        return Optional.ofNullable(measurements.get(placement));
    }

    /** Returns the measurements in the order of the columns. */
    Stream<Measurement> all() {
        return Arrays.stream(BufferPlacement.values()).flatMap(placement -> of(placement).stream());
    }
}
