package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.language.selection.SelectionContext;

/**
 * The allreduce by a switch, simulated on eight GPUs of the preset {@code h200x8}, beside what MSCCL++ publishes for
 * eight H100 with multicast: 6.5 µs for 1 to 16 KiB, 10.3 µs for 1 MiB, 222 GB/s of data for 8 MiB, and 275 GB/s for 1
 * GiB. Nothing is fitted to these figures.
 */
class PublishedSwitchTest {
    private static final int RANKS = 8;
    private static final double MOST = 0.20;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final ProgramSpec REQUEST =
            ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true);
    private static final Topology MACHINE = Presets.find("h200x8").orElseThrow();

    private static double micros(ProgramChoice choice, long bytes) {
        SimulationOptions options = SimulationOptions.DEFAULT
                .withScratchLimit(MACHINE.programPreference().scratchLimit())
                .withoutSpans();
        return Simulator.simulate(choice.program().plan(choice.spec()), MACHINE, bytes, options)
                        .nanos()
                / NANOS_PER_MICRO;
    }

    private static double bySwitch(long bytes) {
        SelectionContext context =
                new SelectionContext(true, true, MappingObstacles.NONE, Optional.empty(), MACHINE.programPreference());
        return micros(
                ProgramChoice.named(ShippedProgram.MULTICAST_DIRECT, REQUEST, bytes, context, new ArrayList<>())
                        .orElseThrow(),
                bytes);
    }

    private static double withoutSwitch(long bytes) {
        return micros(DefaultPrograms.best(REQUEST, true, bytes, MACHINE.programPreference()), bytes);
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"1024, 6.5", "4096, 6.5", "16384, 6.5", "1048576, 10.3"})
    void timesArePredicted(long bytes, double published) {
        assertWithin(published, bySwitch(bytes), "µs");
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"8388608, 222", "1073741824, 275"})
    void ratesArePredicted(long bytes, double published) {
        assertWithin(published, bytes / bySwitch(bytes) / NANOS_PER_MICRO, "GB/s");
    }

    private static void assertWithin(double published, double simulated, String unit) {
        double error = simulated / published - 1;
        assertTrue(
                Math.abs(error) <= MOST,
                () -> "simulated " + simulated + " " + unit + ", published " + published + ": error " + error);
    }

    /** What the page of results says. */
    @Test
    void theSwitchWinsFromSomeSizeOn() {
        List<Long> slower = new ArrayList<>();
        long first = 0;
        for (long bytes = 1 << 10; bytes <= 1 << 28; bytes *= 2) {
            if (bySwitch(bytes) >= withoutSwitch(bytes)) {
                slower.add(bytes);
                first = 2 * bytes;
            }
        }
        assertEquals(256L << 10, first, slower::toString);
    }
}
