package org.mscclj.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.plan.preference.ProgramPreference;

/** {@code mscclj plan list} lists the programs, and those that communicators select. */
class ListCommandTest {
    @TempDir
    private Path folder;

    private CommandLineRun list(String... options) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("plan", "list", "--directory", folder.toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    @Test
    void listsEveryProgramAndPlan() throws IOException {
        Files.copy(Path.of(CommandLineRun.example("allgather_2ranks")), folder.resolve("a.json"));
        Files.writeString(folder.resolve("b.json"), "{}");
        Files.writeString(folder.resolve("c.txt"), "no plan");
        CommandLineRun run = list("--ranks", "8", "--ranks-per-node", "4", "--installed");
        assertEquals(0, run.code(), run.err());
        for (ShippedProgram program : ShippedProgram.values()) {
            assertTrue(run.out().lines().anyMatch(program.label()::equals), run.out());
        }
        assertTrue(run.out().contains("communicators on the CPU take for 8 ranks, 4 on each node"), run.out());
        assertTrue(run.out().contains("  a.json: allgather of 2 ranks, "), run.out());
        assertTrue(run.out().contains("  b.json: not a valid plan: "), run.out());
        assertTrue(!run.out().contains("c.txt"), run.out());
        assertTrue(run.out().lines().anyMatch(("2 plans in " + folder)::equals), run.out());
    }

    @Test
    void plansAreCountedUnlessRequested() throws IOException {
        assertEquals("no plans in " + folder, last(list()));
        Files.copy(Path.of(CommandLineRun.example("allgather_2ranks")), folder.resolve("a.json"));
        assertEquals("1 plan in " + folder + "; --installed lists it", last(list()));
        Files.writeString(folder.resolve("b.json"), "{}");
        assertEquals("2 plans in " + folder + "; --installed lists them", last(list()));
    }

    private static String last(CommandLineRun run) {
        assertEquals(0, run.code(), run.err());
        return run.out().lines().toList().getLast();
    }

    /** For every collective, so that {@code port} is for nodes with different numbers of ranks. */
    @Test
    void betweenNodesTwoLevelsAreChosen() {
        for (ChosenProgram choice : DefaultPrograms.of(8, 4, ProgramPreference.HOST)) {
            assertEquals(ShippedProgram.TWO_LEVEL, choice.program(), choice.toString());
        }
    }

    @Test
    void asJson() {
        CommandLineRun run = list("--json", "-", "--ranks", "4", "--ranks-per-node", "2");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.err().contains("two_level"), run.err());
        assertTrue(run.out().contains("\"mapped_peers\" : \"same node\""), run.out());
        assertTrue(run.out().contains("\"max_size\" : null"), run.out());
    }

    @Test
    void theChoicesOnGpusDiffer() {
        CommandLineRun cpu = list("--ranks", "2");
        CommandLineRun gpu = list("--ranks", "2", "--gpu");
        assertEquals(0, gpu.code(), gpu.err());
        assertTrue(cpu.out().contains("what communicators on the CPU take"), cpu.out());
        assertTrue(gpu.out().contains("what communicators on GPUs take"), gpu.out());
        assertTrue(!cpu.out().contains("128 blocks"), cpu.out());
        assertTrue(gpu.out().contains("524288 to 1048575 bytes, 128 blocks: allreduce"), gpu.out());
    }

    @Test
    void badUsageSaysWhatIsAllowed() {
        CommandLineRun run = list("--ranks-per-node", "3");
        assertEquals(2, run.code(), run.out());
        assertTrue(run.err().contains("--ranks-per-node is 3; allowed: a divisor of 8"), run.err());
    }

    /** At the first and the last size of every range, on one node and on two. */
    @Test
    void communicatorsSelectTheListedPrograms() {
        for (int ranksPerNode : new int[] {4, 2}) {
            List<ChosenProgram> choices = DefaultPrograms.of(4, ranksPerNode, ProgramPreference.HOST);
            try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(4).ranksPerNode(ranksPerNode))) {
                group.run(communicator -> {
                    for (ChosenProgram choice : choices) {
                        if (choice.spec().collective() == Collective.ALLREDUCE && choice.registered()) {
                            for (long size : new long[] {choice.leastBytes(), choice.mostBytes()}) {
                                if (size > 0 && size != ChosenProgram.NO_LIMIT) {
                                    try (DeviceBuffer input = communicator.allocate(size);
                                            DeviceBuffer output = communicator.allocate(size)) {
                                        CollectiveCall call = CollectiveCall.allReduce(
                                                input, choice.spec().inPlace() ? input : output, DataType.UINT8);
                                        try (PreparedOperation operation = communicator.prepare(call)) {
                                            assertEquals(
                                                    choice.program().label(), operation.algorithm(), choice.toString());
                                        }
                                    }
                                }
                            }
                        }
                    }
                });
            }
        }
    }
}
