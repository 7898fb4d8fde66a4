package org.mscclj.analysis.verify;

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
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** The verifier accepts the plans of MSCCL++'s DSL, except those known to be wrong. */
class GivenPlansVerifiedTest {
    private static final Set<String> UNREADABLE =
            Set.of("ut_switch_reduce_test.json", "committed_allreduce_pipeline.json");
    private static final Set<String> RACY = Set.of("committed_exec_reduce_tbg.json");

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
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> verify(file)));
    }

    private static void verify(Path file) throws IOException {
        Plan plan = PlanReader.read(file);
        Verdict verdict = Verifier.verify(plan);
        String found = String.join(
                "\n",
                verdict.findings().stream()
                        .map(finding -> finding.kind() + ": " + finding.message())
                        .toList());
        if (RACY.contains(file.getFileName().toString())) {
            assertTrue(verdict.isRefuted(), "a racy plan is accepted");
        } else {
            assertTrue(verdict.isProved(), found);
        }
    }
}
