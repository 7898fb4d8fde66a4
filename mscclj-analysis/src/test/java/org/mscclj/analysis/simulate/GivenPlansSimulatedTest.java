package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Every plan of MSCCL++'s DSL ends, on one node or on several, at sizes of which some divide unevenly. */
class GivenPlansSimulatedTest {
    private static final Set<String> UNREADABLE =
            Set.of("ut_switch_reduce_test.json", "committed_allreduce_pipeline.json");

    @TestFactory
    Stream<DynamicTest> everyGivenPlan() throws IOException {
        String folder = System.getProperty("mscclj.plans", "");
        assumeFalse(folder.isBlank(), "no folder of plans is given: -Dmscclj.plans=/folder");
        List<Path> files;
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> !UNREADABLE.contains(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
        assertFalse(files.isEmpty(), folder);
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> simulate(file)));
    }

    private static void simulate(Path file) {
        Plan plan = PlanReader.read(file);
        for (String preset : List.of("h200x8", "mi250x8", "mi300x8", "mi355x8", "host", "h200x8-nodes:2")) {
            Topology topology = Presets.find(preset).orElseThrow();
            if (plan.worldSize() > topology.ranksPerNode()) {
                topology = Presets.find("h200x8-nodes:2").orElseThrow();
            }
            double before = 0;
            for (long slice : new long[] {8, 1000, 100_001, 1 << 22}) {
                Prediction prediction = Simulator.simulate(plan, topology, slice, SimulationOptions.DEFAULT);
                assertTrue(prediction.nanos() > 0, file + " on " + preset);
                assertTrue(prediction.nanos() >= before, file + " on " + preset + ": " + slice + " bytes");
                assertFalse(prediction.round().spans().isEmpty(), file + " on " + preset);
                before = prediction.nanos();
            }
        }
    }
}
