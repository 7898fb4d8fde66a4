package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;

/**
 * Damaged plans: one whose structure is broken gives one error; any other is right, computes something wrong, or times
 * out. None ends the VM, and none makes the command hang.
 */
class MutatedPlansTest {
    private static final int MUTANTS = Integer.getInteger("mscclj.mutants", 500);
    private static final Duration PLAN_LIMIT = Duration.ofMillis(250);
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(20);

    /** Larger plans take longer without new kinds of damage. */
    private static final long LARGEST_PLAN_BYTES = 25_000;

    @TempDir
    private Path folder;

    @Test
    @Tag("deep")
    @Timeout(600)
    void endAsExpected() throws IOException {
        long seed = Long.getLong("mscclj.seed", System.nanoTime());
        System.out.println("seed " + seed + " (-Dmscclj.seed=… repeats it)");
        Random random = new Random(seed);
        List<Path> plans = plans();
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < MUTANTS; i++) {
            Path original = plans.get(random.nextInt(plans.size()));
            Path mutant = folder.resolve("mutant.json");
            Files.writeString(mutant, PlanMutation.mutate(Files.readString(original), random));
            outcomes.merge(outcome(mutant, original, i), 1, Integer::sum);
        }
        System.out.println(MUTANTS + " mutants of " + plans.size() + " plans: " + outcomes);
        assertEquals(
                MUTANTS, outcomes.values().stream().mapToInt(Integer::intValue).sum());
    }

    private static String outcome(Path mutant, Path original, int number) throws IOException {
        long start = System.nanoTime();
        CommandLineRun run = CommandLineRun.of(
                "run",
                mutant.toString(),
                "--count",
                "259",
                "--dtype",
                "int32",
                "--iterations",
                "0",
                "--timeout",
                PLAN_LIMIT.toMillis() + "ms");
        long nanos = System.nanoTime() - start;
        String told = "mutant " + number + " of " + original.getFileName() + ":\n" + run.out() + run.err();
        assertTrue(nanos < COMMAND_LIMIT.toNanos(), () -> told + "took " + nanos / 1_000_000 + " ms");
        if (run.code() == 2 && run.err().contains("limits of plan")) {
            return "size refused"; // the damage is in the plan's limits
        }
        assertTrue(run.code() == 0 || run.code() == 1, () -> told + "exit code " + run.code());
        assertTrue(!told.contains("internal error") && !told.contains("\tat "), told);
        if (run.code() == 0) {
            return "right";
        }
        String reasons = String.join("\n", run.errors());
        if (reasons.contains("wrong result")) {
            return "wrong result";
        }
        if (reasons.contains("not ended after") || reasons.contains("did not arrive")) {
            return "time-out";
        }
        if (run.errors().stream().filter(line -> line.startsWith("mscclj: ")).count() == 1) {
            return "error";
        }
        Files.copy(mutant, Path.of("target", "odd-mutant.json"), StandardCopyOption.REPLACE_EXISTING);
        return fail(told);
    }

    private static List<Path> plans() throws IOException {
        List<Path> folders = new ArrayList<>(List.of(CommandLineRun.ROOT.resolve("examples/plans")));
        Optional.ofNullable(System.getProperty("mscclj.plans"))
                .filter(text -> !text.isBlank())
                .ifPresent(text -> folders.add(Path.of(text)));
        List<Path> plans = new ArrayList<>();
        for (Path each : folders) {
            try (Stream<Path> files = Files.list(each)) {
                files.filter(file -> file.toString().endsWith(".json"))
                        .filter(file -> file.toFile().length() <= LARGEST_PLAN_BYTES)
                        .sorted()
                        .forEach(plans::add);
            }
        }
        return plans;
    }
}
