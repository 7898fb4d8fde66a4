package org.mscclj.plan.simulate.calibrate;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * A pattern search (Hooke and Jeeves, 1961) over logarithms to base 2 of factors: simulated times have kinks where
 * another path becomes critical, so there are no derivatives to follow.
 */
final class FactorSearch {
    /** Factors are between 1/32 and 32. */
    static final double BOUND = 5;

    private static final double LAST_STEP = 1.0 / 64;

    /** What does not improve by so much is no improvement, so that the search ends. */
    private static final double LEAST_GAIN = 1e-9;

    private final ToDoubleFunction<double[]> error;
    private double[] best;
    private double least;

    private FactorSearch(ToDoubleFunction<double[]> error, double[] start) {
        this.error = error;
        this.best = start.clone();
        this.least = error.applyAsDouble(start);
    }

    /**
     * The logarithms with the least error.
     *
     * @param start where the search begins
     * @param firstStep how far it looks first
     */
    static double[] search(ToDoubleFunction<double[]> error, double[] start, double firstStep) {
        FactorSearch search = new FactorSearch(error, start);
        double step = firstStep;
        while (step >= LAST_STEP) {
            double[] before = search.best;
            if (!search.sweep(step)) {
                step /= 2;
            } else {
                double[] further = search.best.clone();
                Arrays.setAll(further, i -> Math.clamp(2 * further[i] - before[i], -BOUND, BOUND));
                search.tryOut(further);
            }
        }
        return search.best;
    }

    /** Changes one factor after the other, in the direction that is better; whether any is. */
    private boolean sweep(double step) {
        boolean better = false;
        for (int factor = 0; factor < best.length; factor++) {
            double[] up = best.clone();
            up[factor] = Math.min(BOUND, up[factor] + step);
            double[] down = best.clone();
            down[factor] = Math.max(-BOUND, down[factor] - step);
            better |= tryOut(up);
            better |= tryOut(down);
        }
        return better;
    }

    private boolean tryOut(double[] tried) {
        double found = error.applyAsDouble(tried);
        if (found < least - LEAST_GAIN) {
            least = found;
            best = tried;
            return true;
        }
        return false;
    }
}
