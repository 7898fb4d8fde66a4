package org.mscclj.analysis.simulate.calibrate;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Fits the four constants that times of whole collectives determine: launch, latency, bandwidth of links, and speed of
 * blocks. Each factor scales a whole group of constants, whose proportions stay. The fit minimises the squares of the
 * logarithms of simulated over measured time, so half and twice the time weigh the same. A constant that the
 * measurements hardly determine stays near its old value.
 */
public final class Calibrator {
    private static final double FIRST_STEP = 1;

    /** A factor of 16 must reduce the typical error by at least this amount. */
    private static final double INERTIA = 0.05;

    private static final double INERTIA_AT = 4;

    /** Greatest number of parts in which measurements are left out in turn. */
    private static final int MAX_PARTS = 5;

    /** Factors change by a quarter in the test of their weight. */
    private static final double QUARTER = Math.log(1.25) / Math.log(2);

    private final List<Sample> samples;
    private final SimulatedTimes times;

    private Calibrator(Topology topology, List<Sample> samples, SimulationOptions options) {
        this.samples = samples;
        this.times = new SimulatedTimes(topology, samples, options);
    }

    /**
     * Fits a topology.
     *
     * @param samples measurements of at least four sizes, since the fit has four factors
     * @throws InvalidArgumentException if there are fewer sizes, or if a measurement has more ranks on a node, or more
     *     nodes, than the topology
     */
    public static Calibration fit(Topology topology, List<Sample> samples, SimulationOptions options) {
        long sizes = samples.stream()
                .mapToLong(sample -> sample.measured().messageBytes())
                .distinct()
                .count();
        if (sizes < SimulatedTimes.FACTORS) {
            throw InvalidArgumentException.of(
                    "number of sizes to calibrate by",
                    sizes,
                    SimulatedTimes.FACTORS
                            + " or more, from small to large, as four factors are fitted; measure them with"
                            + " mscclj perf, for"
                            + " example -b 1K -e 64M -f 8");
        }
        return new Calibrator(topology, List.copyOf(samples), options).fit(topology);
    }

    private Calibration fit(Topology topology) {
        double[] given = new double[SimulatedTimes.FACTORS];
        double[] best = fitted(_ -> true, given, FIRST_STEP);
        double[] before = times.of(given);
        double[] after = times.of(best);
        List<Calibration.Fit> fits = IntStream.range(0, samples.size())
                .mapToObj(i -> new Calibration.Fit(samples.get(i).measured(), before[i], after[i]))
                .toList();
        return new Calibration(
                times.scaled(best).withName(topology.name() + ", calibrated"),
                fits,
                factor(best, SimulatedTimes.LAUNCH),
                factor(best, SimulatedTimes.LATENCY),
                factor(best, SimulatedTimes.LINKS),
                factor(best, SimulatedTimes.BLOCKS),
                leftOutError(best));
    }

    /** The best factors for some of the measurements. */
    private double[] fitted(IntPredicate used, double[] start, double firstStep) {
        return FactorSearch.search(
                logarithms -> {
                    double sum = 0;
                    for (double logarithm : logarithms) {
                        double weight = INERTIA * logarithm / INERTIA_AT;
                        sum += weight * weight;
                    }
                    return meanSquare(logarithms, used) + sum;
                },
                start,
                firstStep);
    }

    private double meanSquare(double[] logarithms, IntPredicate used) {
        double[] simulated = times.of(logarithms);
        return IntStream.range(0, simulated.length)
                .filter(used)
                .mapToDouble(
                        i -> Math.log(simulated[i] / samples.get(i).measured().nanos()))
                .map(error -> error * error)
                .average()
                .orElse(0);
    }

    private Factor factor(double[] best, int which) {
        double least = meanSquare(best, _ -> true);
        double growth = Double.POSITIVE_INFINITY;
        for (double by : new double[] {QUARTER, -QUARTER}) {
            double[] changed = best.clone();
            changed[which] += by;
            growth = Math.min(growth, meanSquare(changed, _ -> true) - least);
        }
        return new Factor(
                Math.pow(2, best[which]), Math.sqrt(Math.max(0, growth)), Math.abs(best[which]) >= FactorSearch.BOUND);
    }

    /** The typical error of measurements outside of the fit: each part of them is left out once. */
    private double leftOutError(double[] best) {
        int parts = Math.min(MAX_PARTS, samples.size());
        double sum = 0;
        for (int part = 0; part < parts; part++) {
            int left = part;
            double[] others = fitted(i -> i % parts != left, best, FIRST_STEP / 2);
            long count = IntStream.range(0, samples.size())
                    .filter(i -> i % parts == left)
                    .count();
            sum += count * meanSquare(others, i -> i % parts == left);
        }
        return Math.exp(Math.sqrt(sum / samples.size()));
    }
}
