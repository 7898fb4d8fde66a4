package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code mscclj conformance}. It needs all cores, since its ranks wait for each other. */
@Isolated
class ConformanceTest {
    @Tag("deep")
    @Test
    void theCpuBackendKeepsTheRulesWithoutWaits(@TempDir Path folder) {
        String out = rules(folder, "--no-waits");
        assertFalse(out.contains("spec0704_lateLaunchesEndTheCommunicator"), out);
    }

    @Tag("deep")
    @Test
    void theCpuBackendKeepsTheRules(@TempDir Path folder) {
        String out = rules(folder);
        assertTrue(out.contains("spec0704_lateLaunchesEndTheCommunicator"), out);
    }

    /** Returns the output of a suite that passes, on ranks that are threads. */
    private static String rules(Path folder, String... more) {
        List<String> line = new ArrayList<>(List.of(
                "conformance",
                "--backend",
                "host",
                "--mode",
                "threads",
                "--depth",
                "quick",
                "--report",
                folder.toString()));
        line.addAll(List.of(more));
        CommandLineRun run = CommandLineRun.of(line.toArray(String[]::new));
        assertEquals(0, run.code(), run::toString);
        assertTrue(run.out().contains("required_spec0101_everyCount"), run::out);
        assertTrue(run.out().contains("untested_spec0504_flagsSkipZero"), run::out);
        assertTrue(Files.exists(folder.resolve("conformance-host.json")));
        assertTrue(Files.exists(folder.resolve("conformance-host.html")));
        return run.out();
    }

    @Test
    void aCaseIsTriedAgainFromItsLine() {
        CommandLineRun run = CommandLineRun.of(
                "conformance",
                "--case",
                "rule=spec0101_everyCount mode=threads world=3 collective=allreduce type=float16 op=sum"
                        + " count=1023 offset=0"
                        + " in-place=false registered=true root=0 data=exact seed=1");
        assertEquals(0, run.code(), run::toString);
        assertEquals("passed", run.out().strip());
    }

    @Test
    void aSingleProgramCanBeChecked() {
        CommandLineRun run =
                CommandLineRun.of("conformance", "--mode", "nodes", "--depth", "quick", "--algorithm", "port,RING");
        assertEquals(0, run.code(), run::toString);
        assertTrue(
                run.out().lines().anyMatch(line -> line.matches("passed +required_spec0806_portByName.*")), run::out);
        assertTrue(
                run.out().lines().anyMatch(line -> line.matches("untested +required_spec0806_ringByName.*")), run::out);
        assertTrue(run.out().contains("which ranks of different nodes cannot"), run::out);
        assertFalse(run.out().contains("spec0806_packets"), run::out);
        assertFalse(run.out().contains("spec0704"), run::out);
    }

    /** It begins with a case of every rule, also of those that wait. SoakTest has short ones. */
    @Tag("deep")
    @Test
    void aSoakLeaksNothing() {
        CommandLineRun run = CommandLineRun.of(
                "conformance",
                "--backend",
                "host",
                "--mode",
                "threads",
                "--depth",
                "quick",
                "--soak",
                "20s",
                "--seed",
                "7");
        assertEquals(0, run.code(), run::toString);
        assertTrue(run.out().lines().anyMatch(line -> line.matches("passed +soak, threads: .* seed 7")), run::out);
    }

    @Test
    void aFewRulesAreASmokeTest() {
        CommandLineRun run = CommandLineRun.of(
                "conformance", "--backend", "host", "--mode", "threads", "--depth", "quick", "--smoke");
        assertEquals(0, run.code(), run::toString);
        assertTrue(
                run.out().lines().anyMatch(line -> line.matches("passed +optional_spec1201_messagesArrive.*")),
                run::out);
        assertFalse(run.out().contains("spec0806"), run::out);
    }

    @Test
    void oneChoiceOfRulesIsEnough() {
        CommandLineRun run = CommandLineRun.of("conformance", "--smoke", "--rule", "spec0101_everyCount");
        assertEquals(2, run.code(), run::toString);
        assertTrue(run.err().contains("are different choices; give one"), run::err);
        CommandLineRun two = CommandLineRun.of("conformance", "--smoke", "--no-waits");
        assertEquals(2, two.code(), two::toString);
    }

    @Test
    void aSoakOfOneRuleIsBadUsage() {
        CommandLineRun run = CommandLineRun.of("conformance", "--soak", "--rule", "spec0101_everyCount");
        assertEquals(2, run.code(), run::toString);
        assertTrue(run.err().contains("--soak tries random cases of all rules"), run::err);
    }

    @Test
    void anUnknownModeIsBadUsage() {
        CommandLineRun run = CommandLineRun.of("conformance", "--mode", "fibres");
        assertEquals(2, run.code(), run::toString);
        assertTrue(run.err().contains("threads, nodes, processes"), run::err);
    }
}
