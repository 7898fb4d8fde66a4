package org.mscclj.plan.simulate.calibrate;

/**
 * What a group of constants was multiplied by.
 *
 * @param value new over old
 * @param weight the error, as a logarithm, that is added to the typical one if this factor alone is changed by a
 *     quarter in the direction that does less harm; squares of errors add up
 * @param atBound whether the search ended at its bound, so that the best factor may lie beyond
 */
public record Factor(double value, double weight, boolean atBound) {
    /** What a quarter more or less changes by less than two percent is not told by the measurements. */
    private static final double LEAST_WEIGHT = 0.02;

    /** Whether the measurements tell it, others being what they are; otherwise it is arbitrary within wide limits. */
    public boolean isTold() {
        return weight >= LEAST_WEIGHT;
    }
}
