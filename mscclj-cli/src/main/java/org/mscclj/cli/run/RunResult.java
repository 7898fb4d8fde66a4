package org.mscclj.cli.run;

import java.util.OptionalDouble;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Bandwidth;

/**
 * The result for one size.
 *
 * @param shape the call
 * @param micros mean time of a launch; empty if it was not timed
 * @param wrong number of wrong elements in all outputs
 */
record RunResult(CheckedCall shape, OptionalDouble micros, long wrong) {
    OptionalDouble algorithmBandwidth() {
        return Bandwidth.algorithm(shape, micros);
    }

    OptionalDouble busBandwidth() {
        return Bandwidth.bus(shape, micros);
    }
}
