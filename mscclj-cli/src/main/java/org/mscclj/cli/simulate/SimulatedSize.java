package org.mscclj.cli.simulate;

import java.util.OptionalDouble;
import org.mscclj.analysis.simulate.Prediction;
import org.mscclj.cli.measure.Bandwidth;
import org.mscclj.plan.Plan;

/**
 * The prediction for one size.
 *
 * @param plan the simulated plan
 * @param messageBytes the size in bytes
 * @param prediction the result
 */
record SimulatedSize(Plan plan, long messageBytes, Prediction prediction) {
    private static final double NANOS_PER_MICRO = 1e3;

    OptionalDouble micros() {
        return OptionalDouble.of(prediction.nanos() / NANOS_PER_MICRO);
    }

    /** Returns the greatest number of thread blocks of a rank. */
    int blocks() {
        return plan.ranks().stream()
                .mapToInt(rank -> rank.threadBlocks().size())
                .max()
                .orElse(0);
    }

    /** Returns algbw in 10<sup>9</sup> bytes a second; empty if the launch takes no time. */
    OptionalDouble algorithmBandwidth() {
        return prediction.nanos() == 0 ? OptionalDouble.empty() : OptionalDouble.of(messageBytes / prediction.nanos());
    }

    /**
     * Returns busbw in 10<sup>9</sup> bytes a second, which is comparable with hardware for any number of ranks; empty
     * if the launch takes no time.
     */
    OptionalDouble busBandwidth() {
        double factor = Bandwidth.busFactor(plan.collective(), plan.worldSize());
        OptionalDouble bandwidth = algorithmBandwidth();
        return bandwidth.isEmpty() ? bandwidth : OptionalDouble.of(bandwidth.getAsDouble() * factor);
    }
}
