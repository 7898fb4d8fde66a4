package org.mscclj.analysis.simulate.calibrate;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.mscclj.analysis.simulate.topology.Topology;

/**
 * The result of a fit of a topology to measurements. Errors are factors: 1.2 means 20 % too long or, by the same
 * measure, too short.
 *
 * @param topology topology with the best constants
 * @param fits each measurement with its simulated times, in the given order
 * @param launch time until the first operations of blocks
 * @param latency latencies and costs of operations
 * @param links bandwidths of links and memories
 * @param blocks speed of blocks
 * @param leftOutError typical error of measurements that were left out of a fit, over all measurements; 1 or more. A
 *     value much greater than {@link #typicalErrorAfter} means that the factors fit these measurements and no others
 */
public record Calibration(
        Topology topology,
        List<Fit> fits,
        Factor launch,
        Factor latency,
        Factor links,
        Factor blocks,
        double leftOutError) {
    /**
     * One measurement with its simulated times.
     *
     * @param measured the measurement
     * @param before nanoseconds on the given topology
     * @param after nanoseconds on the calibrated topology
     */
    public record Fit(MeasuredTime measured, double before, double after) {
        /** Simulated over measured time, on the given topology. */
        public double ratioBefore() {
            return before / measured.nanos();
        }

        /** Simulated over measured time, on the calibrated topology. */
        public double ratioAfter() {
            return after / measured.nanos();
        }
    }

    /** Copies the list. */
    public Calibration {
        fits = List.copyOf(fits);
    }

    /** The root mean square of the errors' logarithms, as a factor, before calibration; 1 or more. */
    public double typicalErrorBefore() {
        return typical(Fit::ratioBefore);
    }

    /** The same after calibration, over the fitted measurements. */
    public double typicalErrorAfter() {
        return typical(Fit::ratioAfter);
    }

    /** The greatest error after calibration; 1 or more. */
    public double worstErrorAfter() {
        return Math.exp(fits.stream()
                .mapToDouble(Fit::ratioAfter)
                .map(Math::log)
                .map(Math::abs)
                .max()
                .orElse(0));
    }

    private double typical(ToDoubleFunction<Fit> ratio) {
        return Math.exp(Math.sqrt(fits.stream()
                .mapToDouble(ratio)
                .map(Math::log)
                .map(error -> error * error)
                .average()
                .orElse(0)));
    }
}
