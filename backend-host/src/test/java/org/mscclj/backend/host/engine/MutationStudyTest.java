package org.mscclj.backend.host.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.Plan;

/**
 * Mutants of plans that are proved go wrong in no schedule that is tried, and plans that are right by construction are
 * proved. A sample; {@code -Dmscclj.full=true} for 20,000 mutants, which takes most of an hour,
 * {@code -Dmscclj.plans=FOLDER} for plans from elsewhere, and {@code -Dmscclj.seed=N} for other mutants.
 */
class MutationStudyTest {
    private static final boolean FULL = Boolean.getBoolean("mscclj.full");
    private static final int MUTANTS = FULL ? 20_000 : 200;
    private static final long STEPS = 2_000;
    private static final int EACH = FULL ? 1 : 16;

    @Test
    void proofsAndRefutationsAgreeWithRuns() throws IOException {
        long seed = Long.getLong("mscclj.seed", 20_261_127);
        List<Path> folders = Optional.ofNullable(System.getProperty("mscclj.plans")).map(Path::of).stream()
                .toList();
        Map<String, Plan> plans = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, Plan> plan : StudyPlans.all(folders).entrySet()) {
            if (number++ % EACH == 0) {
                plans.put(plan.getKey(), plan.getValue());
            }
        }
        try (MutationStudy study = new MutationStudy(STEPS)) {
            plans.forEach(study::vary);
            study.mutate(plans, MUTANTS, seed);
            judge(study, seed);
        }
    }

    private static void judge(MutationStudy study, long seed) {
        assertEquals(List.of(), study.disagreements(), () -> "seed " + seed);
        assertTrue(
                study.mutants().keySet().stream().anyMatch(outcome -> outcome.equals("refuted, goes wrong")),
                "no mutant goes wrong in any schedule: nothing was tested");
        assertTrue(
                study.right().keySet().stream().anyMatch(outcome -> outcome.startsWith("proved")),
                "no right plan was verified");
    }
}
