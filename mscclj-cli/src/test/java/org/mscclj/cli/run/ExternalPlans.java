package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The plans in the folder that the system property {@code mscclj.plans} names. */
final class ExternalPlans {
    private static final Set<String> UNREADABLE =
            Set.of("ut_switch_reduce_test.json", "committed_allreduce_pipeline.json");

    private ExternalPlans() {}

    /** All files; without the property the calling test is skipped. */
    static List<Path> files() throws IOException {
        String folder = System.getProperty("mscclj.plans", "");
        assumeFalse(folder.isBlank(), "no folder of plans is given: -Dmscclj.plans=/folder");
        List<Path> plans;
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            plans = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        assertTrue(!plans.isEmpty(), folder);
        return plans;
    }

    /** Whether a file is a plan; the others must be rejected. */
    static boolean isReadable(Path file) {
        return !UNREADABLE.contains(file.getFileName().toString());
    }
}
