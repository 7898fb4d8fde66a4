package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
    /** With one number of ranks: the suite's own module has tests with several. */
    @Tag("deep")
    @Test
    void rulesThatWaitCanBeLeftOut(@TempDir Path folder) {
        CommandLineRun run = CommandLineRun.of(
                "conformance",
                "--backend",
                "host",
                "--mode",
                "threads",
                "--depth",
                "quick",
                "--world",
                "2",
                "--no-waits",
                "--report",
                folder.toString());
        assertEquals(0, run.code(), run::toString);
        assertTrue(run.out().contains("required_spec0101_everyCount"), run::out);
        assertTrue(run.out().contains("untested_spec0504_flagsSkipZero"), run::out);
        assertFalse(run.out().contains("spec0704_lateLaunchesEndTheCommunicator"), run::out);
        assertTrue(Files.exists(folder.resolve("conformance-host.json")));
        assertTrue(Files.exists(folder.resolve("conformance-host.html")));
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
    void aCommandStartsRanksOfTwoNodes(@TempDir Path folder) throws IOException {
        Path script = folder.resolve("start.sh");
        Files.writeString(script, """
                echo "$1 on $2" >>"$(dirname "$0")/started"
                shift 2
                exec "$@"
                """);
        CommandLineRun run =
                onNodes("--rule", "spec0605_launchesEnd", "--rank-command", "sh " + script + " {rank} {node}");
        assertTrue(run.out().contains("# backend host, process-nodes, quick, ranks [4]"), run::out);
        assertTrue(run.out().lines().anyMatch(line -> line.matches("passed +required_spec0605.*")), run::out);
        assertEquals(
                List.of("0 on 0", "1 on 0", "2 on 1", "3 on 1"),
                Files.readAllLines(folder.resolve("started")).stream().sorted().toList());
    }

    /** The suite's own module has tests of the other rules of processes on nodes. */
    @Tag("deep")
    @Test
    void aRankThatIsCutOffIsNoticedOnTwoNodes() {
        CommandLineRun run = onNodes("--rule", "spec0705_cutOffRanksAreNamed");
        assertTrue(run.out().lines().anyMatch(line -> line.matches("passed +optional_spec0705_cutOff.*")), run::out);
    }

    /** Returns the output of a suite that passes, on two nodes of two processes. */
    private static CommandLineRun onNodes(String... more) {
        List<String> line = new ArrayList<>(List.of(
                "conformance", "--backend", "host", "--mode", "process-nodes", "--depth", "quick", "--world", "4"));
        line.addAll(List.of(more));
        CommandLineRun run = CommandLineRun.of(line.toArray(String[]::new));
        assertEquals(0, run.code(), run::toString);
        return run;
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
