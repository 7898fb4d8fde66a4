package org.mscclj.plan.simulate.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.plan.simulate.SimulationOptions;
import org.mscclj.plan.simulate.Simulator;
import org.mscclj.plan.simulate.topology.Presets;
import org.mscclj.plan.simulate.topology.Topology;

/** A machine whose constants are known is found again from its times. */
class CalibratorTest {
    private static final Topology START = Presets.find("h200x4").orElseThrow();

    private static List<Sample> samplesOf(Topology machine) {
        List<Sample> samples = new ArrayList<>();
        for (ShippedProgram program : List.of(ShippedProgram.PACKETS, ShippedProgram.DIRECT)) {
            for (int blocks : new int[] {1, 16}) { // one is slower than links, many are not
                Plan plan = program.plan(
                        ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true).blocks(blocks));
                for (long bytes = 1 << 10; bytes <= 1 << 26; bytes *= 256) {
                    double nanos = Simulator.simulate(plan, machine, bytes, SimulationOptions.DEFAULT)
                            .nanos();
                    MeasuredTime time =
                            new MeasuredTime(program.label(), Collective.ALLREDUCE, 4, 4, 0, true, bytes, nanos);
                    samples.add(new Sample(time, plan));
                }
            }
        }
        return samples;
    }

    @Test
    void findsWhatTheTimesWereMadeWith() {
        Topology machine = START.withLaunch(2 * START.costs().launch()).scaled(1.5, 0.5, 0.8);
        Calibration calibration = Calibrator.fit(START, samplesOf(machine), SimulationOptions.DEFAULT);
        assertEquals(2, calibration.launchFactor(), 0.1);
        assertEquals(1.5, calibration.latencyFactor(), 0.1);
        assertEquals(0.5, calibration.linkFactor(), 0.02);
        assertEquals(0.8, calibration.blockFactor(), 0.03);
        for (Calibration.Fit fit : calibration.fits()) {
            assertTrue(Math.abs(fit.errorAfter()) < 0.02, fit::toString);
        }
        assertTrue(calibration.fits().stream().anyMatch(fit -> Math.abs(fit.errorBefore()) > 0.2));
    }

    @Test
    void whatFitsStays() {
        Calibration calibration = Calibrator.fit(START, samplesOf(START), SimulationOptions.DEFAULT);
        assertEquals(START.withName("h200x4, calibrated"), calibration.topology());
    }

    @Test
    void noMeasurementsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> Calibrator.fit(START, List.of(), SimulationOptions.DEFAULT));
    }
}
