package org.mscclj.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.plan.simulate.calibrate.MeasuredTime;
import org.mscclj.plan.simulate.calibrate.Sample;

/**
 * The measurements that can be simulated: those of shipped algorithms.
 *
 * @param samples with the plans that ran
 * @param others algorithms of the measurements that are left out
 */
record CalibrationSamples(List<Sample> samples, Set<String> others) {
    static CalibrationSamples of(List<MeasuredTime> measured, int ranksPerNode, OptionalInt blocks) {
        List<Sample> samples = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        for (MeasuredTime time : measured) {
            Optional<Plan> plan = SimulationTarget.program(time.algorithm())
                    .flatMap(program -> plan(program, time, ranksPerNode, blocks));
            plan.ifPresentOrElse(found -> samples.add(new Sample(time, found)), () -> others.add(time.algorithm()));
        }
        return new CalibrationSamples(samples, others);
    }

    /** The plan that ran; empty if the program has none for it. */
    private static Optional<Plan> plan(
            ShippedProgram program, MeasuredTime time, int ranksPerNode, OptionalInt blocks) {
        ProgramSpec spec = new ProgramCall(time.collective(), time.ranks(), ranksPerNode, time.inPlace(), blocks)
                .spec(program, time.root(), time.messageBytes());
        return program.refusal(spec).isEmpty() ? Optional.of(program.plan(spec)) : Optional.empty();
    }
}
