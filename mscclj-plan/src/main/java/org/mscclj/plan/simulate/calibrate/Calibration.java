package org.mscclj.plan.simulate.calibrate;

import java.util.List;
import org.mscclj.plan.simulate.topology.Topology;

/**
 * A topology that was fitted to measurements.
 *
 * @param topology with the constants that fit best
 * @param fits each measurement beside its simulation, in the order that was given
 * @param launchFactor new over old: the time until blocks begin
 * @param latencyFactor new over old: latencies, and what operations cost
 * @param linkFactor new over old: bandwidth of links and memories
 * @param blockFactor new over old: how fast blocks are
 */
public record Calibration(
        Topology topology,
        List<Fit> fits,
        double launchFactor,
        double latencyFactor,
        double linkFactor,
        double blockFactor) {
    /**
     * One measurement, and what is simulated for it.
     *
     * @param measured what was measured
     * @param before nanoseconds by the topology that was given
     * @param after nanoseconds by the calibrated one
     */
    public record Fit(MeasuredTime measured, double before, double after) {
        /** Relative error before; 0.1 is ten percent too long. */
        public double errorBefore() {
            return before / measured.nanos() - 1;
        }

        /** Relative error after. */
        public double errorAfter() {
            return after / measured.nanos() - 1;
        }
    }

    /** Copies the list. */
    public Calibration {
        fits = List.copyOf(fits);
    }
}
