package org.mscclj.cli.run;

import java.util.OptionalDouble;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.measure.Bandwidth;

/**
 * What came out for one size.
 *
 * @param shape what was run
 * @param micros mean time of a launch; empty if it was not timed
 * @param wrong wrong elements of all outputs
 */
record RunResult(CallShape shape, OptionalDouble micros, long wrong) {
    OptionalDouble algorithmBandwidth() {
        return Bandwidth.algorithm(shape, micros);
    }

    OptionalDouble busBandwidth() {
        return Bandwidth.bus(shape, micros);
    }
}
