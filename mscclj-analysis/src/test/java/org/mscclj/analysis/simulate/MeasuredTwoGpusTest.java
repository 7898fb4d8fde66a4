package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.Plan;

/**
 * The programs that communicators choose, simulated on two GPUs of the preset {@code h200x4}, beside the times measured
 * on two H200. Four constants of the preset are fitted to the allreduce, and none to the other collectives.
 */
class MeasuredTwoGpusTest {
    private static final String FILE = "two-h200.csv";
    private static final int RANKS = 2;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Topology MACHINE = Presets.find("h200x4").orElseThrow();

    /** The lines of the file without its comments: the names, then a line for each size. */
    private static List<List<String>> measured() throws IOException {
        try (InputStream in = Objects.requireNonNull(MeasuredTwoGpusTest.class.getResourceAsStream(FILE), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> List.of(line.split(",")))
                    .toList();
        }
    }

    private static double simulatedMicros(Collective collective, long bytes) {
        boolean inPlace = collective != Collective.ALLTOALL;
        ProgramSpec request = ProgramSpec.of(collective, RANKS).inPlace(inPlace);
        ProgramChoice choice = DefaultPrograms.best(request, true, bytes, MACHINE.programPreference());
        Plan plan = choice.program().plan(choice.spec());
        int slices = collective == Collective.ALLGATHER ? RANKS : collective.inputSlices(RANKS);
        SimulationOptions options = SimulationOptions.DEFAULT
                .withScratchLimit(MACHINE.programPreference().scratchLimit())
                .withoutSpans();
        return Simulator.simulate(plan, MACHINE, bytes / slices, options).nanos() / NANOS_PER_MICRO;
    }

    private static void assertWithin(double most, Collective collective) throws IOException {
        List<List<String>> lines = measured();
        int column = lines.getFirst().indexOf(collective.label());
        assertAll(lines.stream().skip(1).map(line -> () -> {
            long bytes = Long.parseLong(line.getFirst());
            double time = Double.parseDouble(line.get(column));
            double simulated = simulatedMicros(collective, bytes);
            assertTrue(
                    Math.abs(simulated / time - 1) <= most,
                    collective + " of " + bytes + " bytes: measured " + time + " us, simulated " + simulated);
        }));
    }

    @Test
    void everyPowerOfTwoFrom1KTo256MIsMeasured() throws IOException {
        assertEquals(
                IntStream.rangeClosed(10, 28)
                        .mapToObj(bit -> String.valueOf(1L << bit))
                        .toList(),
                measured().stream().skip(1).map(List::getFirst).toList());
    }

    @Test
    void allreduceIsWithin15Percent() throws IOException {
        assertWithin(0.15, Collective.ALLREDUCE);
    }

    /** What the model predicts without a fit: the worst error of each collective, rounded up. */
    @ParameterizedTest
    @CsvSource({"ALLGATHER, 0.13", "REDUCESCATTER, 0.21", "BROADCAST, 0.38", "ALLTOALL, 0.21"})
    void theOtherCollectivesAreAsFarOffAsTheResultsSay(Collective collective, double most) throws IOException {
        assertWithin(most, collective);
    }
}
