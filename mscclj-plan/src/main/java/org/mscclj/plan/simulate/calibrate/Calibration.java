package org.mscclj.plan.simulate.calibrate;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.mscclj.plan.simulate.topology.Topology;

/**
 * A topology that was fitted to measurements. Errors are factors: 1.2 is a fifth too long or, as bad, a sixth too
 * short.
 *
 * @param topology with the constants that fit best
 * @param fits each measurement beside its simulation, in the order that was given
 * @param launch the time until blocks begin
 * @param latency latencies, and what operations cost
 * @param links bandwidth of links and memories
 * @param blocks how fast blocks are
 * @param leftOutError typical error of measurements that were left out of a fit, over all of them; 1 or more. One that
 *     is much greater than {@link #typicalErrorAfter} says that the factors fit these measurements and no others
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
     * One measurement, and what is simulated for it.
     *
     * @param measured what was measured
     * @param before nanoseconds by the topology that was given
     * @param after nanoseconds by the calibrated one
     */
    public record Fit(MeasuredTime measured, double before, double after) {
        /** Simulated over measured, before. */
        public double ratioBefore() {
            return before / measured.nanos();
        }

        /** Simulated over measured, after. */
        public double ratioAfter() {
            return after / measured.nanos();
        }
    }

    /** Copies the list. */
    public Calibration {
        fits = List.copyOf(fits);
    }

    /** The root of the mean square of the errors' logarithms, as a factor, before; 1 or more. */
    public double typicalErrorBefore() {
        return typical(Fit::ratioBefore);
    }

    /** The same after, of the measurements that were fitted. */
    public double typicalErrorAfter() {
        return typical(Fit::ratioAfter);
    }

    /** The greatest error after; 1 or more. */
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
