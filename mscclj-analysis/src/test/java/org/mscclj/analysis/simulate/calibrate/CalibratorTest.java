package org.mscclj.analysis.simulate.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.topology.BlockRates;
import org.mscclj.analysis.simulate.topology.Costs;
import org.mscclj.analysis.simulate.topology.Fabric;
import org.mscclj.analysis.simulate.topology.OrderCosts;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** The calibrator recovers the constants of a machine from its times, and reports those that times do not determine. */
class CalibratorTest {
    /** A machine on which the launch, latencies, links and blocks all matter. */
    private static final Topology START = new Topology(
            "start",
            1,
            4,
            new Fabric.Switch(345, 4800, 740, 1480, 0, true),
            Optional.empty(),
            new Costs(
                    1600,
                    0,
                    100,
                    new OrderCosts(500, 50, 50, 30, 500, 100),
                    1500,
                    500,
                    new BlockRates(28, 60, 14),
                    Optional.empty()));

    private static final long[] SIZES = {1 << 10, 1 << 15, 1 << 20, 1 << 24};
    private static final SimulationOptions OPTIONS = SimulationOptions.DEFAULT;

    private static Plan plan(ShippedProgram program, int blocks) {
        return program.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 4).inPlace(true).blocks(blocks));
    }

    private static Sample sample(Plan plan, Topology machine, long bytes, DoubleUnaryOperator measured) {
        double nanos = Simulator.simulate(plan, machine, bytes, OPTIONS).nanos();
        return new Sample(
                new MeasuredTime(
                        plan.name(), Collective.ALLREDUCE, 4, 4, 0, true, bytes, measured.applyAsDouble(nanos)),
                plan);
    }

    private static List<Sample> samplesOf(Topology machine, DoubleUnaryOperator measured) {
        List<Sample> samples = new ArrayList<>();
        for (int blocks : new int[] {1, 8}) { // one is slower than links, many are not
            for (long bytes : SIZES) {
                samples.add(sample(plan(ShippedProgram.DIRECT, blocks), machine, bytes, measured));
            }
        }
        samples.add(sample(plan(ShippedProgram.PACKETS, 1), machine, SIZES[0], measured));
        return samples;
    }

    private static Topology otherMachine() {
        return START.scaled(2, 1.5, 0.5, 0.8);
    }

    @Test
    void recoversTheConstants() {
        Calibration calibration = Calibrator.fit(START, samplesOf(otherMachine(), nanos -> nanos), OPTIONS);
        assertEquals(2, calibration.launch().value(), 0.1);
        assertEquals(1.5, calibration.latency().value(), 0.1);
        assertEquals(0.5, calibration.links().value(), 0.02);
        assertEquals(0.8, calibration.blocks().value(), 0.03);
        assertTrue(calibration.worstErrorAfter() < 1.02, calibration::toString);
        assertTrue(calibration.leftOutError() < 1.02, calibration::toString);
        assertTrue(calibration.typicalErrorBefore() > 1.2, calibration::toString);
        for (Factor factor : factors(calibration)) {
            assertTrue(factor.isDetermined() && !factor.atBound(), factor::toString);
        }
    }

    private static List<Factor> factors(Calibration calibration) {
        return List.of(calibration.launch(), calibration.latency(), calibration.links(), calibration.blocks());
    }

    @Test
    void fittingConstantsStay() {
        Calibration calibration = Calibrator.fit(START, samplesOf(START, nanos -> nanos), OPTIONS);
        assertEquals(START.withName("start, calibrated"), calibration.topology());
    }

    /** Twice and half the time weigh the same, so the fit is between them. */
    @Test
    void tooLongWeighsAsMuchAsTooShort() {
        List<Sample> samples = new ArrayList<>(samplesOf(START, nanos -> 2 * nanos));
        samples.addAll(samplesOf(START, nanos -> nanos / 2));
        Calibration calibration = Calibrator.fit(START, samples, OPTIONS);
        assertEquals(START.withName("start, calibrated"), calibration.topology());
        assertEquals(2, calibration.typicalErrorAfter(), 1e-9);
    }

    @Test
    void noiseIsSeenInLeftOutMeasurements() {
        long seed = 1;
        Random random = new Random(seed);
        Calibration calibration = Calibrator.fit(
                START, samplesOf(otherMachine(), nanos -> nanos * Math.exp(0.1 * random.nextGaussian())), OPTIONS);
        assertEquals(2, calibration.launch().value(), 0.6, () -> "seed " + seed);
        assertEquals(0.5, calibration.links().value(), 0.1, () -> "seed " + seed);
        assertTrue(calibration.leftOutError() > calibration.typicalErrorAfter(), () -> "seed " + seed);
        assertTrue(calibration.leftOutError() < 1.2, () -> "seed " + seed + ": " + calibration.leftOutError());
    }

    @Test
    void smallMessagesDoNotDetermineBandwidth() {
        List<Sample> samples = new ArrayList<>();
        for (long bytes : new long[] {256, 512, 1024, 2048}) {
            samples.add(sample(plan(ShippedProgram.DIRECT, 1), START, bytes, nanos -> nanos / 3));
        }
        Calibration calibration = Calibrator.fit(START, samples, OPTIONS);
        assertFalse(calibration.links().isDetermined(), calibration::toString);
        assertEquals(1, calibration.links().value(), 0.05);
        assertEquals(1, calibration.blocks().value(), 0.4);
        assertTrue(calibration.typicalErrorAfter() < 1.1, calibration::toString);
    }

    @Test
    void factorAtItsBoundIsReported() {
        Calibration calibration = Calibrator.fit(START, samplesOf(START, nanos -> 1000 * nanos), OPTIONS);
        assertTrue(calibration.latency().atBound(), calibration::toString);
    }

    @Test
    void fewerSizesThanFactorsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> Calibrator.fit(START, List.of(), OPTIONS));
        List<Sample> three = samplesOf(START, nanos -> nanos).subList(0, 3);
        String message = assertThrows(InvalidArgumentException.class, () -> Calibrator.fit(START, three, OPTIONS))
                .getMessage();
        assertTrue(message.startsWith("number of sizes to calibrate by is 3; allowed: 4 or more"), message);
    }

    @Test
    void otherNodesThanThoseOfTheMeasurementAreRefused() {
        Topology two = Presets.find("h200x8-nodes:2").orElseThrow().withRanksPerNode(2);
        List<Sample> samples = samplesOf(START, nanos -> nanos);
        String message = assertThrows(InvalidArgumentException.class, () -> Calibrator.fit(two, samples, OPTIONS))
                .getMessage();
        assertTrue(message.contains("ranks of each node of topology h200x8-nodes:2 is 4; allowed: 1 to 2"), message);
    }
}
