package org.mscclj.analysis.simulate.calibrate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.topology.Topology;

/** The simulated times of all measurements on a machine with scaled constants. Not thread-safe. */
final class SimulatedTimes {
    static final int LAUNCH = 0;
    static final int LATENCY = 1;
    static final int LINKS = 2;
    static final int BLOCKS = 3;
    static final int FACTORS = 4;

    private final Topology topology;
    private final List<Sample> samples;
    private final SimulationOptions options;
    private final Map<List<Double>, double[]> known = new HashMap<>();

    SimulatedTimes(Topology topology, List<Sample> samples, SimulationOptions options) {
        this.topology = topology;
        this.samples = samples;
        this.options = options.withoutSpans();
    }

    /** The machine with its constants scaled by powers of two. */
    Topology scaled(double[] logarithms) {
        return topology.scaled(
                Math.pow(2, logarithms[LAUNCH]),
                Math.pow(2, logarithms[LATENCY]),
                Math.pow(2, logarithms[LINKS]),
                Math.pow(2, logarithms[BLOCKS]));
    }

    /** Nanoseconds of each measurement. */
    double[] of(double[] logarithms) {
        return known.computeIfAbsent(Arrays.stream(logarithms).boxed().toList(), _ -> simulate(scaled(logarithms)));
    }

    private double[] simulate(Topology machine) {
        return samples.stream()
                .mapToDouble(sample -> Simulator.simulate(
                                sample.plan(),
                                machine.withRanksPerNode(sample.measured().ranksPerNode()),
                                sample.measured().sliceBytes(),
                                options)
                        .nanos())
                .toArray();
    }
}
