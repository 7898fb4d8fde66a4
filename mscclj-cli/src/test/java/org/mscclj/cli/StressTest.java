package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mscclj stress} on the CPU. */
class StressTest {
    @ParameterizedTest
    @ValueSource(ints = 3)
    void everyScenarioPasses(int ranks) {
        CommandLineRun run = CommandLineRun.of(
                "stress", "--backend", "host", "--ranks", "" + ranks, "--launches", "300", "--communicators", "5");
        assertEquals(0, run.code(), run.out() + run.err());
        for (String name : new String[] {"overlap", "apart", "absent", "many"}) {
            assertTrue(run.out().contains("passed  " + name + ": "), run.out());
        }
    }

    @Test
    void oneScenarioCanBeChosen() {
        CommandLineRun run = CommandLineRun.of(
                "stress", "--backend", "host", "--scenario", "many", "--communicators", "3", "--timeout", "10s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertEquals(2, run.out().lines().count(), run.out());
        assertTrue(run.out().contains("3 communicators"), run.out());
    }

    /** In a JVM of its own, which starts more of its kind. A busy machine is late; what is measured on a quiet one is in docs/results. */
    private static CommandLineRun faults(Path folder, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of("stress", "--backend", "host", "--limit", "20s", "--seed", "7"));
        line.addAll(List.of(arguments));
        return ChildJvm.run(folder, line.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"kills, 3, 3", "stops, 3, 2", "mismatches, 3, 7"})
    void processesSayWhatIsWrong(String scenario, String ranks, String cases, @TempDir Path folder) throws Exception {
        Path json = folder.resolve("result.json");
        CommandLineRun run = faults(
                folder, "--scenario", scenario, "--ranks", ranks, "--" + scenario, cases, "--json", json.toString());
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("passed  " + scenario + ": " + cases + " cases"), run.out());
        String text = Files.readString(json);
        assertTrue(text.contains("\"cases\" : " + cases), text);
        assertTrue(text.contains("\"failures\" : [ ]"), text);
    }

    @Test
    void abortsWakeEverybody() {
        CommandLineRun run = CommandLineRun.of(
                "stress",
                "--backend",
                "host",
                "--ranks",
                "3",
                "--scenario",
                "aborts",
                "--aborts",
                "44",
                "--limit",
                "20s");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("passed  aborts: 44 cases"), run.out());
    }

    @Test
    void unknownScenariosAreBadUsage() {
        CommandLineRun run = CommandLineRun.of("stress", "--backend", "host", "--scenario", "deaths");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("kills"), run.err());
    }
}
