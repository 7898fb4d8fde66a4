package org.mscclj.analysis.simulate.calibrate;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * A pattern search (Hooke and Jeeves, 1961) over logarithms to base 2 of factors. Simulated times have kinks where
 * another path becomes critical, so derivatives are of no use.
 */
final class FactorSearch {
    /** Factors are between 1/32 and 32. */
    static final double BOUND = 5;

    private static final double LAST_STEP = 1.0 / 64;

    /** A smaller improvement counts as none and ends the search. */
    private static final double MIN_GAIN = 1e-9;

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
     * @param start start of the search
     * @param firstStep size of the first step
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

    /** Changes one factor after the other in the better direction; returns whether any change was an improvement. */
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
        if (found < least - MIN_GAIN) {
            least = found;
            best = tried;
            return true;
        }
        return false;
    }
}
