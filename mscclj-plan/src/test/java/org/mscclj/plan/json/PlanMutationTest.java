package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RandomPlans;
import org.mscclj.plan.examples.ExamplePrograms;
import org.mscclj.plan.text.PlanPrinter;
import org.mscclj.plan.validation.RelaxedSignals;

/** Random mutations of valid plans: the reader returns a plan that all other code accepts, or one clear message. */
class PlanMutationTest {
    private static final int MUTATIONS = 3_000;

    @Test
    void everyMutationIsReadOrRefusedInOneLine() {
        List<JsonTree> good = Stream.concat(
                        ExamplePrograms.all().stream(),
                        Stream.iterate(0L, seed -> seed + 1).limit(20).map(RandomPlans::of))
                .map(PlanWriter::write)
                .map(JsonTree::parse)
                .toList();
        Random random = new Random(20_261_120);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            JsonTree tree = good.get(random.nextInt(good.size()));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                tree = JsonTree.parse(tree.mutate(random).text());
            }
            String json = tree.text();
            if (!assertTimeoutPreemptively(Duration.ofSeconds(10), () -> isGood(json))) {
                refused++;
            }
        }
        assertTrue(refused > MUTATIONS / 3, "only " + refused + " were refused");
        assertTrue(refused < MUTATIONS, "all were refused");
    }

    private static boolean isGood(String json) {
        try {
            Plan plan = PlanReader.read(json, "mutation.json");
            PlanPrinter.print(plan);
            RelaxedSignals.needingRelease(plan);
            assertEquals(plan, PlanReader.read(PlanWriter.write(plan), "written.json"));
            return true;
        } catch (InvalidArgumentException e) {
            String message = e.getMessage();
            assertTrue(message.matches("mutation\\.json: .+"), message);
            assertEquals(1, message.lines().count(), message);
            assertTrue(message.length() < 2_000, message);
            return false;
        }
    }
}
