package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.text.PlanPrinter;
import org.mscclj.plan.validation.RelaxedSignals;

/** Plans of MSCCL++'s DSL, in the folder of the system property {@code mscclj.plans}. */
class GivenPlansTest {
    private static final Map<String, List<String>> UNREADABLE = Map.of(
            "ut_switch_reduce_test.json", List.of("rank 0, block 0, op 0", "glre", "not fused"),
            "committed_allreduce_pipeline.json", List.of("rank 0, channels[0]", "buffer_type is missing"));

    private static final Set<String> RELAXED = Set.of(
            "allgather_nvls_zero_copy_2gpu.json",
            "allgather_nvls_zero_copy_4gpu.json",
            "allreduce_nvls_zero_copy_2gpu.json",
            "allreduce_nvls_zero_copy_4gpu.json",
            "committed_exec_reduce_nvls.json",
            "committed_exec_reduce_nvls_pipeline.json",
            "seed_allreduce_nvls_2gpu_inst2.json",
            "seed_allreduce_nvls_4gpu_inst4.json");

    private final String folder = System.getProperty("mscclj.plans", "");

    @BeforeEach
    void needsTheFolder() {
        assumeFalse(folder.isBlank(), "no folder of plans is given: -Dmscclj.plans=/folder");
    }

    @Test
    void validPlansAreReadWrittenAndPrinted() throws IOException {
        for (Path file : files()) {
            if (!UNREADABLE.containsKey(file.getFileName().toString())) {
                Plan plan = PlanReader.read(file);
                assertEquals(plan, PlanReader.read(PlanWriter.write(plan), "written"), file::toString);
                assertTrue(PlanPrinter.print(plan).contains("rank 0: "), file::toString);
            }
        }
    }

    @Test
    void invalidPlansAreRefusedInOneLine() throws IOException {
        for (Path file : files()) {
            List<String> expected = UNREADABLE.get(file.getFileName().toString());
            if (expected != null) {
                String message = assertThrows(InvalidArgumentException.class, () -> PlanReader.read(file))
                        .getMessage();
                assertTrue(message.startsWith(file + ": "), message);
                expected.forEach(part -> assertTrue(message.contains(part), message));
            }
        }
    }

    @Test
    void relaxedSignalsThatMustReleaseAreFound() throws IOException {
        Set<String> expected = new TreeSet<>();
        Set<String> found = new TreeSet<>();
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (RELAXED.contains(name)) {
                expected.add(name);
            }
            if (!UNREADABLE.containsKey(name)
                    && !RelaxedSignals.needingRelease(PlanReader.read(file)).isEmpty()) {
                found.add(name);
            }
        }
        assertEquals(expected, found);
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            all.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
        }
        assertTrue(!files.isEmpty(), folder);
        return files;
    }
}
