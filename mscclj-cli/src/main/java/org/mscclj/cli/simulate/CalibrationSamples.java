package org.mscclj.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
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
    static CalibrationSamples of(List<MeasuredTime> measured, OptionalInt blocks) {
        List<Sample> samples = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        for (MeasuredTime time : measured) {
            Optional<ShippedProgram> program = SimulationTarget.program(time.algorithm());
            if (program.isEmpty()
                    || program.get().refusal(time.collective(), time.inPlace()).isPresent()) {
                others.add(time.algorithm());
                continue;
            }
            ProgramCall call = new ProgramCall(time.collective(), time.ranks(), time.inPlace(), blocks);
            samples.add(new Sample(time, call.plan(program.get(), time.root(), time.messageBytes())));
        }
        return new CalibrationSamples(samples, others);
    }
}
