package org.mscclj.cli.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.calibrate.MeasuredTime;
import org.mscclj.analysis.simulate.calibrate.Sample;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * The measurements that can be simulated: those of shipped algorithms on nodes of the topology.
 *
 * @param samples the measurements, with their plans
 * @param leftOut the reasons for which measurements are left out, with their number
 */
record CalibrationSamples(List<Sample> samples, Map<String, Integer> leftOut) {
    static CalibrationSamples of(
            List<MeasuredTime> measured, Topology topology, OptionalInt blocks, SimulationOptions options) {
        List<Sample> samples = new ArrayList<>();
        Map<String, Integer> leftOut = new LinkedHashMap<>();
        for (MeasuredTime time : measured) {
            try {
                samples.add(sample(time, topology, blocks, options));
            } catch (MsccljException e) {
                leftOut.merge(time.label() + ": " + e.getMessage(), 1, Integer::sum);
            }
        }
        return new CalibrationSamples(samples, leftOut);
    }

    /** Returns the measured plan, simulated once. */
    private static Sample sample(MeasuredTime time, Topology topology, OptionalInt blocks, SimulationOptions options) {
        ShippedProgram program = SimulationTarget.program(time.algorithm())
                .orElseThrow(() -> new InvalidArgumentException("it is no shipped algorithm"));
        int nodes = time.ranks() / time.ranksPerNode();
        if (time.ranksPerNode() > topology.ranksPerNode() || nodes > topology.nodes()) {
            throw new InvalidArgumentException("topology " + topology.label() + " has " + topology.nodes()
                    + " nodes of " + topology.ranksPerNode());
        }
        ProgramSpec spec = new ProgramCall(
                        time.collective(),
                        time.ranks(),
                        time.ranksPerNode(),
                        time.inPlace(),
                        blocks,
                        topology.programPreference())
                .spec(program, time.root(), time.messageBytes());
        Optional<String> refusal = program.refusal(spec);
        if (refusal.isPresent()) {
            throw new InvalidArgumentException(refusal.get());
        }
        Plan plan = program.plan(spec);
        Simulator.simulate(
                plan, topology.withRanksPerNode(time.ranksPerNode()), time.sliceBytes(), options.withoutSpans());
        return new Sample(time, plan);
    }

    /**
     * Returns the samples.
     *
     * @param file the file of the measurements, for messages
     * @throws InvalidArgumentException if there are none; the message says why
     */
    List<Sample> requireSome(String file) {
        if (samples.isEmpty()) {
            throw new InvalidArgumentException("no measurement of " + file + " can be simulated"
                    + (leftOut.isEmpty() ? ", as there are no times in it" : ": " + reasons())
                    + "; measure a shipped algorithm on such nodes as the topology has, for example with mscclj perf"
                    + " allreduce --algorithm direct -b 1K -e 64M -f 8");
        }
        return samples;
    }

    private String reasons() {
        return String.join("; ", leftOut.keySet());
    }
}
