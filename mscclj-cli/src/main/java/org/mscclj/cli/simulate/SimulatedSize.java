package org.mscclj.cli.simulate;

import java.util.OptionalDouble;
import org.mscclj.cli.measure.Bandwidth;
import org.mscclj.plan.Plan;
import org.mscclj.plan.simulate.Prediction;

/**
 * What came out for one size.
 *
 * @param plan what was simulated
 * @param messageBytes the size
 * @param prediction the result
 */
record SimulatedSize(Plan plan, long messageBytes, Prediction prediction) {
    private static final double NANOS_PER_MICRO = 1e3;

    OptionalDouble micros() {
        return OptionalDouble.of(prediction.nanos() / NANOS_PER_MICRO);
    }

    /** 10<sup>9</sup> bytes a second; empty if it takes no time. */
    OptionalDouble algorithmBandwidth() {
        return prediction.nanos() == 0 ? OptionalDouble.empty() : OptionalDouble.of(messageBytes / prediction.nanos());
    }

    /**
     * 10<sup>9</sup> bytes a second, comparable with hardware whatever the number of ranks; empty if it takes no time.
     */
    OptionalDouble busBandwidth() {
        double factor = Bandwidth.busFactor(plan.collective(), plan.worldSize());
        OptionalDouble bandwidth = algorithmBandwidth();
        return bandwidth.isEmpty() ? bandwidth : OptionalDouble.of(bandwidth.getAsDouble() * factor);
    }
}
