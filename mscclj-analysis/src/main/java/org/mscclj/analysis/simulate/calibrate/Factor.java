package org.mscclj.analysis.simulate.calibrate;

/**
 * The factor of one group of constants.
 *
 * @param value new over old value
 * @param weight the error, as a logarithm, that a change of this factor alone by a quarter, in the better direction,
 *     adds to the typical error; squares of errors add up
 * @param atBound whether the search ended at its bound, so that the best factor may lie beyond
 */
public record Factor(double value, double weight, boolean atBound) {
    /**
     * The measurements do not determine a factor if a change by a quarter changes the error by less than two percent.
     */
    private static final double MIN_WEIGHT = 0.02;

    /**
     * Whether the measurements determine this factor, given the others; otherwise it is arbitrary within wide limits.
     */
    public boolean isDetermined() {
        return weight >= MIN_WEIGHT;
    }
}
