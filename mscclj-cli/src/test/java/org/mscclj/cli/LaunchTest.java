package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.cli.ProcessEnds.assertGone;
import static org.mscclj.cli.ProcessEnds.isAlive;
import static org.mscclj.cli.ProcessEnds.pid;
import static org.mscclj.cli.ProcessEnds.soon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code mscclj launch}, with small shell commands. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaunchTest {
    private static final int SIGINT = 2;

    @TempDir
    private Path folder;

    @Test
    void ranksGetTheirNumbers() throws IOException, InterruptedException {
        CommandLineRun run = launch(
                "--ranks",
                "4",
                "--ranks-per-node",
                "2",
                "--",
                "sh",
                "-c",
                "echo $MSCCLJ_RANK $MSCCLJ_WORLD_SIZE $MSCCLJ_LOCAL_RANK $MSCCLJ_RANKS_PER_NODE");
        assertEquals(0, run.code(), run.err());
        assertEquals(
                List.of("0 4 0 2", "1 4 1 2", "2 4 0 2", "3 4 1 2"),
                run.out().lines().sorted().toList());
        assertEquals("", run.err());
    }

    @Test
    void ranksShareOneAddressAndOneSecret() throws IOException, InterruptedException {
        String[] line = {
            "--ranks",
            "3",
            "sh",
            "-c",
            "echo $MSCCLJ_MASTER_ADDR $MSCCLJ_MASTER_PORT $MSCCLJ_JOB $MSCCLJ_SECRET$(cat $MSCCLJ_SECRET_FILE)"
        };
        CommandLineRun run = launch(line);
        List<String> told = run.out().lines().distinct().toList();
        assertEquals(1, told.size(), run.out());
        assertTrue(told.getFirst().matches("127\\.0\\.0\\.1 0 launch-[0-9a-f-]{36} [0-9a-f]{64}"), run.out());
        String secret = told.getFirst().split(" ")[3];
        String job = told.getFirst().split(" ")[2];
        String other = launch(line).out();
        assertFalse(other.contains(secret), "another group has another secret");
        assertFalse(other.contains(job), "another group is another job");
    }

    @Test
    void outputIsForwardedByLines() throws IOException, InterruptedException {
        CommandLineRun run = launch("--ranks", "2", "--prefix", "--", "sh", "-c", "echo out; echo bad >&2");
        assertEquals(List.of("[0] out", "[1] out"), run.out().lines().sorted().toList());
        assertEquals(List.of("[0] bad", "[1] bad"), run.err().lines().sorted().toList());
    }

    @Test
    void argumentsOfTheProgramArePassedUnchanged() throws IOException, InterruptedException {
        assertEquals(
                List.of("--ranks --fly", "--ranks --fly"),
                launch("--ranks", "2", "echo", "--ranks", "--fly").out().lines().toList());
    }

    @Test
    void theFirstFailureGivesTheExitCodeAndEndsTheRest() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Path file = folder.resolve("pid");
        CommandLineRun run = launch(
                "--ranks",
                "3",
                "--",
                "sh",
                "-c",
                "if [ $MSCCLJ_RANK = 1 ]; then until [ -s " + file
                        + " ]; do :; done; exit 7; fi; if [ $MSCCLJ_RANK = 0 ];" + " then echo $$ > " + file
                        + "; fi; sleep 50; exit 8");
        assertEquals(7, run.code());
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(40), "waited for a rank that sleeps");
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().contains("rank 1 ended with exit code 7; stopping the 2 that still run"), run.err());
        assertGone(pid(file));
    }

    @Test
    void aRankThatIgnoresSigtermIsKilled() throws IOException, InterruptedException {
        Path file = folder.resolve("pid");
        CommandLineRun run = launch(
                "--ranks",
                "2",
                "--",
                "sh",
                "-c",
                "trap '' TERM; if [ $MSCCLJ_RANK = 0 ]; then until [ -s " + file + " ]; do :; done; exit 3; fi;"
                        + " echo $$ > " + file + "; while :; do sleep 1; done");
        assertEquals(3, run.code());
        assertGone(pid(file));
    }

    @Test
    void childrenOfAFailedRankAreEnded() throws IOException, InterruptedException {
        Path file = folder.resolve("pid");
        CommandLineRun run = launch("--ranks", "1", "--", "sh", "-c", "sleep 100 & echo $! > " + file + "; exit 4");
        assertEquals(4, run.code());
        assertGone(pid(file));
    }

    @Test
    void aSignalIsAnExitCodeToo() throws IOException, InterruptedException {
        CommandLineRun run = launch("--ranks", "1", "--", "sh", "-c", "kill -9 $$");
        assertEquals(137, run.code());
        assertTrue(run.err().contains("rank 0 was ended by signal 9"), run.err());
    }

    @Test
    void keepGoingLetsTheOtherRanksContinue() throws IOException, InterruptedException {
        CommandLineRun run = launch(
                "--ranks",
                "2",
                "--keep-going",
                "--",
                "sh",
                "-c",
                "if [ $MSCCLJ_RANK = 1 ]; then exit 5; fi; sleep 0.5; echo done");
        assertEquals(0, run.code());
        assertEquals("done", run.out().strip());
        assertEquals(List.of("mscclj: rank 1 ended with exit code 5"), run.errors());
    }

    @Test
    void javaIsTheJavaOfThisCommandWithAllOfMscclj() throws IOException, InterruptedException {
        Path program = Files.writeString(folder.resolve("Ranks.java"), """
            import org.mscclj.api.Communicator;

            public class Ranks {
                public static void main(String[] args) {
                    try (var communicator = Communicator.open()) {
                        System.out.println("rank " + communicator.rank() + ", " + System.getProperty("java.home")
                                + ", " + String.join(" ", args));
                    }
                }
            }
            """);
        CommandLineRun run = launch("--ranks", "2", "--", "java", program.toString(), "a", "b");
        assertEquals(0, run.code(), run.err());
        String home = System.getProperty("java.home");
        assertEquals(
                List.of("rank 0, " + home + ", a b", "rank 1, " + home + ", a b"),
                run.out().lines().sorted().toList());
    }

    @Test
    void endingTheLauncherEndsTheRanksAndTheirChildren() throws IOException, InterruptedException {
        for (String signal : signalsThatArrive()) {
            Path rank = folder.resolve("rank-" + signal);
            Path grandchild = folder.resolve("grandchild-" + signal);
            Process launcher = ChildJvm.start(
                    "launch",
                    "--ranks",
                    "1",
                    "--",
                    "sh",
                    "-c",
                    "echo $$ > " + rank + "; sh -c 'echo $$ > " + grandchild + "; while :; do sleep 1; done' & wait");
            long rankPid = pid(rank);
            long grandchildPid = pid(grandchild);
            assertTrue(isAlive(rankPid) && isAlive(grandchildPid));
            new ProcessBuilder("kill", "-s", signal, Long.toString(launcher.pid()))
                    .start()
                    .waitFor();
            assertTrue(launcher.waitFor(20, TimeUnit.SECONDS), signal);
            assertGone(rankPid);
            assertGone(grandchildPid);
            if (!signal.equals("KILL")) {
                String said = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(said.contains("mscclj: interrupted; stopping all ranks that still run"), said);
                assertFalse(said.contains("was ended by signal"), said);
            }
        }
    }

    /** Ctrl-Z and {@code fg}: the ranks are in sessions of their own, where no signal of the terminal arrives. */
    @Test
    void stoppingTheLauncherStopsTheRanks() throws IOException, InterruptedException {
        Path rank = folder.resolve("rank");
        Path grandchild = folder.resolve("grandchild");
        Process launcher = ChildJvm.start(
                "launch",
                "--ranks",
                "1",
                "--",
                "sh",
                "-c",
                "echo $$ > " + rank + "; sh -c 'echo $$ > " + grandchild + "; while :; do sleep 1; done' & wait");
        try {
            List<Long> all = List.of(pid(rank), pid(grandchild), launcher.pid());
            for (int time = 0; time < 2; time++) {
                signal("TSTP", launcher);
                assertTrue(soon(() -> all.stream().allMatch(ProcessEnds::isStopped)), "not all are stopped");
                signal("CONT", launcher);
                assertTrue(soon(() -> all.stream().noneMatch(ProcessEnds::isStopped)), "not all go on");
            }
            signal("TERM", launcher);
            assertTrue(launcher.waitFor(20, TimeUnit.SECONDS));
            assertGone(all.get(1));
        } finally {
            launcher.destroyForcibly();
        }
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /**
     * A shell starts background processes with SIGINT ignored, and children inherit that: the launcher could not
     * receive it.
     */
    private static List<String> signalsThatArrive() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElse("0");
        if ((Long.parseUnsignedLong(ignored, 16) >> (SIGINT - 1) & 1) == 0) {
            return List.of("TERM", "INT", "KILL");
        }
        System.out.println("LaunchTest: SIGINT is not tried, since whoever started this test ignores it");
        return List.of("TERM", "KILL");
    }

    private CommandLineRun launch(String... args) throws IOException, InterruptedException {
        return ChildJvm.run(
                folder, Stream.concat(Stream.of("launch"), Stream.of(args)).toArray(String[]::new));
    }
}
