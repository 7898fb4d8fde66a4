package org.mscclj.plan.simulate.calibrate;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.simulate.SimulationOptions;
import org.mscclj.plan.simulate.Simulator;
import org.mscclj.plan.simulate.topology.Topology;

/**
 * Fits the four constants that times of whole collectives can tell: the launch, the latency, the bandwidth of links and the speed of blocks. Each is
 * scaled as a whole, so that the proportions of what belongs together stay. Least squares of relative errors, by a pattern search over the
 * logarithms of the factors (Hooke and Jeeves, 1961), as simulated times have kinks where another path becomes critical. A constant on which the
 * measurements say nothing stays as it is.
 */
public final class Calibrator {
    private static final int LAUNCH = 0;
    private static final int LATENCY = 1;
    private static final int LINKS = 2;
    private static final int BLOCKS = 3;
    private static final int FACTORS = 4;

    /** Steps are in powers of two. */
    private static final double FIRST_STEP = 1;

    private static final double LAST_STEP = 1.0 / 128;
    private static final double MOST = 12;
    private static final int MOST_SWEEPS = 200;

    /** So little that it decides only where measurements do not. */
    private static final double INERTIA = 1e-6;

    private final Topology topology;
    private final List<Sample> samples;
    private final SimulationOptions options;

    private Calibrator(Topology topology, List<Sample> samples, SimulationOptions options) {
        this.topology = topology;
        this.samples = samples;
        this.options = options.withSpans(false);
    }

    /**
     * Fits a topology.
     *
     * @param samples measurements, at least one
     * @throws InvalidArgumentException if there are none, or if one cannot be simulated on the topology
     */
    public static Calibration fit(Topology topology, List<Sample> samples, SimulationOptions options) {
        if (samples.isEmpty()) {
            throw new InvalidArgumentException(
                    "no measurement can be simulated; measure one of the shipped algorithms, for example with mscclj perf"
                            + " allreduce --algorithm direct");
        }
        return new Calibrator(topology, List.copyOf(samples), options).fit();
    }

    private Calibration fit() {
        double[] best = new double[FACTORS];
        double[] before = times(topology);
        double least = error(before, best);
        double step = FIRST_STEP;
        for (int sweep = 0; sweep < MOST_SWEEPS && step >= LAST_STEP; sweep++) {
            double[] start = best.clone();
            double atStart = least;
            for (int factor = 0; factor < FACTORS; factor++) {
                for (double by : new double[] {step, -step}) {
                    double[] tried = best.clone();
                    tried[factor] += by;
                    double error = Math.abs(tried[factor]) > MOST ? Double.POSITIVE_INFINITY : error(tried);
                    if (error < least) {
                        least = error;
                        best = tried;
                        break;
                    }
                }
            }
            if (least < atStart) {
                double[] further = best.clone();
                Arrays.setAll(further, i -> Math.clamp(2 * further[i] - start[i], -MOST, MOST));
                double error = error(further);
                if (error < least) {
                    least = error;
                    best = further;
                }
            } else {
                step /= 2;
            }
        }
        return calibration(best, before);
    }

    private Calibration calibration(double[] best, double[] before) {
        Topology fitted = scaled(best);
        double[] after = times(fitted);
        List<Calibration.Fit> fits = IntStream.range(0, samples.size())
                .mapToObj(i -> new Calibration.Fit(samples.get(i).measured(), before[i], after[i]))
                .toList();
        return new Calibration(
                fitted.withName(topology.name() + ", calibrated"),
                fits,
                Math.pow(2, best[LAUNCH]),
                Math.pow(2, best[LATENCY]),
                Math.pow(2, best[LINKS]),
                Math.pow(2, best[BLOCKS]));
    }

    private Topology scaled(double[] factors) {
        return topology.withLaunch(topology.costs().launch() * Math.pow(2, factors[LAUNCH]))
                .scaled(Math.pow(2, factors[LATENCY]), Math.pow(2, factors[LINKS]), Math.pow(2, factors[BLOCKS]));
    }

    private double error(double[] factors) {
        return error(times(scaled(factors)), factors);
    }

    private double error(double[] times, double[] factors) {
        double sum = 0;
        for (int i = 0; i < times.length; i++) {
            double relative = times[i] / samples.get(i).measured().nanos() - 1;
            sum += relative * relative;
        }
        return sum / times.length
                + INERTIA
                        * Arrays.stream(factors).map(factor -> factor * factor).sum();
    }

    private double[] times(Topology on) {
        return samples.stream()
                .mapToDouble(sample -> Simulator.simulate(
                                sample.plan(),
                                placed(on, sample.measured()),
                                sample.measured().sliceBytes(),
                                options)
                        .nanos())
                .toArray();
    }

    private static Topology placed(Topology on, MeasuredTime measured) {
        return measured.ranksPerNode() <= on.ranksPerNode() ? on.withRanksPerNode(measured.ranksPerNode()) : on;
    }
}
