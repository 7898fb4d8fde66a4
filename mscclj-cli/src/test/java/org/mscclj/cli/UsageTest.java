package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.cli.conformance.ConformanceCommand;
import org.mscclj.cli.selftest.SelftestCommand;
import org.mscclj.cli.stress.StressCommand;
import picocli.CommandLine.Command;

/** Bad usage gives exit code 2 and one line that says what to change. */
class UsageTest {
    private static final String PLAN = CommandLineRun.example("allgather_2ranks");
    private static final String REDUCING = CommandLineRun.example("allreduce_ring_4ranks");

    /** A command line, and what its error must contain. */
    private record Case(String line, String... parts) {}

    private static final List<Case> CASES = List.of(
            new Case("", "command is missing", "run", "info", "plan", "debug", "stress"),
            new Case("fly", "there is no command fly", "run"),
            new Case("--fly", "there is no option --fly"),
            new Case("run", "PLAN.json"),
            new Case("run --fly", "there is no option --fly", "--size"),
            new Case("run " + PLAN + " --sise 1M", "there is no option --sise", "--size"),
            new Case("run nosuch.json", "nosuch.json", "no such file"),
            new Case("run " + PLAN + " more", "more"),
            new Case("run " + PLAN + " --size", "--size"),
            new Case("run " + PLAN + " --size x", "--size is \"x\"", "1M"),
            new Case("run " + PLAN + " --size -1", "--size is \"-1\""),
            new Case("run " + PLAN + " --size 1M,", "--size is \"\""),
            new Case("run " + PLAN + " --size 99999999999T", "99999999999T", "smaller"),
            new Case("run " + PLAN + " --count 1.5", "--count is \"1.5\""),
            new Case("run " + PLAN + " --count 1 --size 1", "--size", "--count", "only one"),
            new Case("run " + PLAN + " --dtype float17", "--dtype", "float17", "bfloat16"),
            new Case("run " + PLAN + " --op sum", "--op is sum", "allgather", "leave --op out"),
            new Case("run " + REDUCING + " --op add", "--op", "add", "premul-sum"),
            new Case("run " + REDUCING + " --op band", "--op is band", "float32", "integer"),
            new Case("run " + REDUCING + " --op premul-sum:0.5 --dtype int32", "premul-sum:0.5", "whole number"),
            new Case("run " + PLAN + " --packet LL9", "--packet", "LL9", "LL16"),
            new Case("run " + PLAN + " --backend abacus", "abacus", "host"),
            new Case("run " + PLAN + " --ranks-per-node 3", "--ranks-per-node is 3", "divisor of 2"),
            new Case("run " + PLAN + " --ranks-per-node two", "--ranks-per-node", "two"),
            new Case("run " + PLAN + " --iterations -1", "--iterations is -1", "0 or more"),
            new Case("run " + PLAN + " --timeout 0s", "--timeout", "30s"),
            new Case("run " + PLAN + " --timeout soon", "--timeout", "soon"),
            new Case("run " + PLAN + " --seed abc", "--seed", "abc"),
            new Case("tune --ranks 1", "--ranks is 1", "2 or more"),
            new Case("tune allreduze", "allreduze", "allreduce, allgather"),
            new Case("tune --memory some", "--memory", "some", "PLAIN"),
            new Case("perf", "COLLECTIVE"),
            new Case("perf allreduze", "allreduze", "allreduce, allgather"),
            new Case("perf sendrecv", "collective is \"sendrecv\"", "alltoall", "gather"),
            new Case("perf allreduce --backend host --ranks 10000", "10000 ranks", "1 to 1024 on backend host"),
            new Case("perf allreduce --backend host --ranks 10000 --procs", "10000 ranks", "1 to 1024"),
            new Case("stress --backend host --ranks 10000", "--ranks is 10000", "2 to 1024 on backend host"),
            new Case("perf allreduce --no-check --op fly", "--op"),
            new Case("perf allreduce --sise 1M", "there is no option --sise", "--iterations"),
            new Case("perf allreduce -b x", "-b is \"x\"", "1M"),
            new Case("perf allreduce -e -1", "-e is \"-1\""),
            new Case("perf allreduce -b 1M -e 1K", "-e is 1K", "at least what -b says, 1M"),
            new Case("perf allreduce -f 1", "-f is 1", "2 or more"),
            new Case("perf allreduce -f two", "-f", "two"),
            new Case("perf allreduce --ranks 0", "--ranks is 0", "1 or more"),
            new Case("perf allreduce --ranks 4 --ranks-per-node 3", "--ranks-per-node is 3", "divisor of 4"),
            new Case("perf allreduce --ranks 4 --ranks-per-node 3 --procs", "--ranks-per-node is 3", "divisor of 4"),
            new Case("perf allreduce --dtype float17", "--dtype", "float17", "bfloat16"),
            new Case("perf allreduce --op add", "--op", "add", "premul-sum"),
            new Case("perf allreduce --op band", "--op is band", "float32", "integer"),
            new Case("perf allgather --op sum", "--op is sum", "allgather", "leave --op out"),
            new Case("perf allreduce --root 1", "--root is 1", "no root", "leave --root out"),
            new Case("perf broadcast --ranks 2 --root 2", "--root is 2", "0 to 1"),
            new Case("perf allreduce --iterations 0", "--iterations is 0", "1 to 1000"),
            new Case("perf allreduce --warmup 0", "--warmup", "more than 0, for example 30s"),
            new Case("perf allreduce --backend abacus", "abacus", "host"),
            new Case("perf allreduce --timeout soon", "--timeout", "soon"),
            new Case("perf gather --ranks 2 --root 2", "--root is 2", "0 to 1"),
            new Case(
                    "conformance --algorithm rign",
                    "rign",
                    "ring, multicast, multicast_direct, multicast_packets, multicast_pipeline, copies_"),
            new Case("conformance --rule spec9999_x", "spec9999_x", "spec0605_launchesEnd"),
            new Case("conformance --algorithm ring --case x", "--algorithm and --rule", "--case"),
            new Case(
                    "perf allreduce --peer gloo",
                    "--peer is gloo",
                    "mpi, nccl, nccl-symmetric, rccl or rccl-symmetric"),
            new Case("perf allreduce --peer mpi,mpi", "--peer is mpi,mpi", "each peer once"),
            new Case("perf allreduce --method lazy", "--method", "lazy"),
            new Case("perf allreduce --backend host --replays 5", "--replays is 5", "--method graph"),
            new Case("perf allreduce --method graph --replays 0", "--replays is 0", "1 to 10000"),
            new Case("perf allreduce --method graph --graph-operations 0", "--graph-operations is 0", "1 to 100000"),
            new Case("perf allreduce --backend host --graph-operations 5", "--graph-operations is 5", "--method graph"),
            new Case("stress --scenario heat", "--scenario is heat", "overlap, apart, absent, bursts, many"),
            new Case("stress --backend host --ranks 1", "--ranks is 1", "2 or more"),
            new Case("stress --launches 0", "--launches is 0", "1 or more"),
            new Case("stress --backend host --late-after 1500ms", "--late-after is 1500ms", "whole seconds, 1 or more"),
            new Case("run --backend host --replays 1 x.json", "x.json"),
            new Case("launch", "--ranks"),
            new Case("launch --ranks 2", "COMMAND"),
            new Case("launch --ranks 0 -- true", "--ranks is 0", "1 or more"),
            new Case("launch --ranks two -- true", "--ranks", "two"),
            new Case("launch --rangs 2 -- true --fly", "there is no option --rangs", "--ranks-per-node"),
            new Case("launch --ranks 4 --ranks-per-node 3 -- true", "--ranks-per-node is 3", "divisor of 4"),
            new Case("launch --ranks 2 -- no-such-program-anywhere", "no-such-program-anywhere", "no such program"),
            new Case("launch --ranks 2 ./no/such/program", "./no/such/program", "no such program"),
            new Case("conformance --backend abacus", "--backend is abacus", "host"),
            new Case("info more", "more"),
            new Case("selftest --parts fly", "fly"),
            new Case("selftest --parts perf --minutes 0", "--minutes is 0.0; allowed: more than 0"),
            new Case("selftest --parts perf --ranks 0", "--ranks is [0]; allowed: 1 or more"),
            new Case("selftest --plans nosuch", "no such file"),
            new Case("debug", "debug diff DUMPS", "debug health PID"),
            new Case("debug dump some", "the number of a process, or all"),
            new Case("debug diff nosuch.json", "nosuch.json"),
            new Case("debug health", "PID"),
            new Case("debug health some", "the number of a process, or all"),
            new Case("plan", "plan show FILE"),
            new Case("plan show", "FILE"),
            new Case("plan show nosuch.json", "no such file"));

    @TestFactory
    Stream<DynamicTest> badUsage() {
        return CASES.stream()
                .map(c -> DynamicTest.dynamicTest("mscclj " + c.line(), () -> {
                    CommandLineRun run = CommandLineRun.of(
                            c.line().isEmpty() ? new String[0] : c.line().split(" "));
                    assertEquals(2, run.code(), run.err());
                    assertEquals("", run.out());
                    assertEquals(1, run.errors().size(), run.err());
                    Arrays.stream(c.parts())
                            .forEach(part -> assertTrue(run.err().contains(part), part + " in " + run.err()));
                }));
    }

    @Test
    void stackTraceOnlyWithDebug() {
        assertTrue(!CommandLineRun.of("run", "nosuch.json").err().contains("\tat "));
        assertTrue(CommandLineRun.of("run", "nosuch.json", "--debug").err().contains("\tat "));
        assertTrue(CommandLineRun.of("--debug", "run", "nosuch.json").err().contains("\tat "));
    }

    @TestFactory
    Stream<DynamicTest> help() {
        return Stream.of(
                        "--help",
                        "run --help",
                        "perf --help",
                        "launch --help",
                        "conformance --help",
                        "info --help",
                        "plan --help",
                        "debug --help",
                        "debug dump --help",
                        "debug diff --help",
                        "debug health --help",
                        "selftest --help",
                        "plan show --help",
                        "plan compile --help",
                        "plan list --help",
                        "plan install --help",
                        "help run",
                        "--version")
                .map(line -> DynamicTest.dynamicTest("mscclj " + line, () -> {
                    CommandLineRun run = CommandLineRun.of(line.split(" "));
                    assertEquals(0, run.code());
                    assertEquals("", run.err());
                    assertTrue(run.out().contains("mscclj"), run.out());
                }));
    }

    /**
     * Lists in descriptions have explicit line breaks: picocli would break a longer line in the middle of a sentence.
     */
    @Test
    void linesOfListsFitTheHelp() {
        for (Class<?> command : List.of(StressCommand.class, ConformanceCommand.class, SelftestCommand.class)) {
            Command annotation = command.getAnnotation(Command.class);
            for (String[] text : List.of(annotation.description(), annotation.footer())) {
                Arrays.stream(text)
                        .filter(line -> line.startsWith("  "))
                        .forEach(line -> assertTrue(line.length() <= 100, line));
            }
        }
    }

    @Test
    void optionsThatTakeListsHaveOneStyle() {
        for (String command : List.of("run", "simulate", "stress", "conformance", "selftest")) {
            String help = CommandLineRun.of(command, "--help").out();
            assertFalse(help.contains("…"), help);
            assertTrue(help.contains("[,"), help);
        }
    }

    @Test
    void infoShowsWhatIsHere() {
        CommandLineRun run = CommandLineRun.of("info");
        assertEquals(0, run.code());
        for (String part : List.of(
                "backends",
                "host",
                "available",
                "transports",
                "fallbacks",
                "nccl",
                "rccl",
                "cores",
                "Vector API",
                "AES-256-GCM between hosts",
                "MSCCLJ_SECRET")) {
            assertTrue(run.out().contains(part), part + " in " + run.out());
        }
    }

    @Test
    void planShowPrintsThePlan() {
        CommandLineRun run = CommandLineRun.of("plan", "show", PLAN);
        assertEquals(0, run.code());
        assertTrue(run.out().startsWith("plan allgather_2ranks"), run.out());
        assertTrue(run.out().contains("block 0"), run.out());
    }

    @Test
    void notAPlanIsOneLine() {
        for (String command : List.of("run", "plan show")) {
            String line = command + " " + CommandLineRun.ROOT.resolve("README.md");
            CommandLineRun run = CommandLineRun.of(line.split(" "));
            assertEquals(1, run.code());
            assertEquals(1, run.errors().size(), run.err());
            assertTrue(run.err().contains("README.md"), run.err());
        }
    }
}
