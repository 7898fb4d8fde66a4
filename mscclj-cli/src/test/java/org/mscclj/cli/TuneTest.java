package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;

/** {@code mscclj tune}, and communicators that choose by its table. */
class TuneTest {
    @TempDir
    private Path folder;

    private static CommandLineRun right(String command) {
        CommandLineRun run = CommandLineRun.of(command.split(" "));
        assertEquals(0, run.code(), run.err());
        return run;
    }

    private static final String FEW = " --iterations 2 --warmup 1ms --timeout 20s";

    @Test
    void callsMayBeOutOfPlace() {
        CommandLineRun run = right("tune alltoall allgather --backend host --ranks 2 -b 1K -e 1K --memory registered"
                + " --no-in-place" + FEW);
        assertTrue(run.out().startsWith("# mscclj tune, 2 ranks, backend host, float16, out of place, 20"), run.out());
        assertTrue(run.out().contains("alltoall, registered memory"), run.out());
    }

    private static boolean isPlainAllReduce(TuningChoice choice) {
        return choice.collective() == Collective.ALLREDUCE && !choice.registered();
    }

    @Test
    void theFileHasChoicesForEachCollectiveAndMemory() {
        Path file = folder.resolve("host.json");
        CommandLineRun run = right(
                "tune allreduce broadcast --backend host --ranks 2 -b 64 -e 1K -f 16" + FEW + " --output " + file);
        assertTrue(run.out().startsWith("# mscclj tune, 2 ranks, backend host, float16, in place, 20"), run.out());
        TuningEntry entry = TuningEntry.load(file).getFirst();
        assertEquals("host", entry.key().backend());
        assertEquals(TuningTopology.MAPPED, entry.key().topology());
        for (Collective collective : List.of(Collective.ALLREDUCE, Collective.BROADCAST)) {
            for (boolean registered : new boolean[] {true, false}) {
                TuningChoice first = entry.choices().stream()
                        .filter(choice -> choice.collective() == collective && choice.registered() == registered)
                        .findFirst()
                        .orElseThrow();
                assertEquals(0, first.leastBytes());
                assertTrue(run.out().contains(first.algorithm() + " "), run.out());
            }
        }
        assertEquals(TuningChoice.DEFAULT, entry.choices().getLast().algorithm(), "sizes above the largest one");
        assertEquals(2048, entry.choices().getLast().leastBytes());
        assertFalse(run.out().contains("ll128"), () -> "a CPU sends no lines: " + run.out());

        right("tune allreduce --backend host --ranks 3 -b 64 -e 64 --memory plain" + FEW + " --output " + file);
        right("tune allreduce --backend host --ranks 2 -b 128 -e 128 --memory plain" + FEW + " --output " + file);
        List<TuningEntry> entries = TuningEntry.load(file);
        assertEquals(
                List.of(2, 3), entries.stream().map(one -> one.key().ranks()).toList(), "one is changed, one stays");
        assertEquals(
                entry.choices().stream()
                        .filter(choice -> !isPlainAllReduce(choice))
                        .toList(),
                entries.getFirst().choices().stream()
                        .filter(choice -> !isPlainAllReduce(choice))
                        .toList(),
                "what is not measured again stays");
        assertEquals(
                List.of(0L, 256L),
                entries.getFirst().choices().stream()
                        .filter(TuneTest::isPlainAllReduce)
                        .map(TuningChoice::leastBytes)
                        .toList());
    }

    /** The call without a choice shows what a file gains, also in a shell that names one. */
    @Test
    void theFileOfTheEnvironmentIsNotFollowed() throws IOException, InterruptedException {
        Path file = folder.resolve("other.json");
        new TuningEntry(new TuningKey("host", "an abacus", 2, TuningTopology.MAPPED, "1", "1"), "", List.of())
                .save(file);
        for (String command : List.of("tune --memory plain", "perf")) {
            CommandLineRun run = ChildJvm.run(
                    folder,
                    Map.of("MSCCLJ_TUNING", file.toString()),
                    (command + " allreduce --backend host --ranks 2 -b 64 -e 64" + FEW).split(" "));
            assertEquals(0, run.code(), run.err());
            assertEquals(
                    command.equals("perf"), run.err().contains("measured choices of algorithms: " + file), run::err);
        }
    }

    @Test
    void aFileOfSomethingElseIsRefusedBeforeAnythingIsMeasured() throws IOException {
        Path file = Files.writeString(folder.resolve("host.json"), "selection 1");
        CommandLineRun run = CommandLineRun.of("tune", "allreduce", "--backend", "host", "--output", file.toString());
        assertEquals(2, run.code(), run.out());
        assertTrue(run.err().contains("host.json: tuning: is not JSON; allowed: the file of a tuning"), run.err());
    }

    /** What was measured between nodes would count for ranks of one node. */
    @Test
    void ranksOfSeveralNodesAreNotMeasured() {
        CommandLineRun run =
                CommandLineRun.of("tune", "allreduce", "--backend", "host", "--ranks", "2", "--ranks-per-node", "1");
        assertEquals(2, run.code(), run.out());
        assertTrue(
                run.err().contains("ranks on each node is 1 of 2; allowed: all: measured choices are for one node"),
                run.err());
    }

    /** The list, the simulator and communicators ask the same function. */
    @Test
    void toolsThatTellTheChoiceFollowTheTable() throws IOException, InterruptedException {
        Path file = folder.resolve("ring.json");
        new TuningEntry(
                        new TuningKey("cuda", "NVIDIA H200", 2, TuningTopology.MAPPED, "13.0", "1"),
                        "",
                        List.of(
                                new TuningChoice(Collective.ALLREDUCE, true, 0, "ring@2x256"),
                                new TuningChoice(Collective.ALLREDUCE, true, 64 << 10, "packets_ll128@4")))
                .save(file);
        Map<String, String> environment = Map.of("MSCCLJ_TUNING", file.toString(), "MSCCLJ_LL128", "0");
        CommandLineRun listed = ChildJvm.run(folder, environment, "plan", "list", "--ranks", "2", "--gpu");
        assertEquals(0, listed.code(), listed.err());
        assertTrue(
                listed.out().contains("up to 65535 bytes, 2 blocks of 256 threads, registered buffers: allreduce"),
                listed.out());
        assertTrue(listed.out().contains("measured on 2 ranks of backend cuda on NVIDIA H200"), listed.out());
        assertTrue(listed.out().contains("65536 to 131072 bytes, 32 blocks, registered buffers"), listed.out());
        CommandLineRun simulated = ChildJvm.run(
                folder,
                environment,
                "simulate",
                "allreduce",
                "--topology",
                "h200x4",
                "--ranks",
                "2",
                "--size",
                "32K,64K");
        assertEquals(0, simulated.code(), simulated.err());
        assertTrue(simulated.out().contains("ring"), simulated.out());
        assertFalse(simulated.out().contains("ll128"), simulated.out());

        Files.writeString(file, Files.readString(file).replace("ring@2x256", "own@4"));
        String line = "allreduce, registered memory, from 0 bytes on: native algorithm own@4 by measurement";
        assertTrue(ChildJvm.run(folder, environment, "plan", "list", "--ranks", "2", "--gpu")
                .out()
                .contains(line));
        String simulate = "simulate allreduce --topology h200x4 --ranks 2 --size 32K";
        CommandLineRun noted = ChildJvm.run(folder, environment, simulate.split(" "));
        assertTrue(noted.err().contains(line), noted.err());
    }

    @Test
    void theReportHasAPlotAndATableForEachSection() throws IOException {
        Path file = folder.resolve("tune.html");
        CommandLineRun run = right("tune allreduce --backend host --ranks 2 -b 64 -e 1K -f 16 --iterations 2"
                + " --warmup 1ms --timeout 20s --memory registered --html " + file);
        assertTrue(run.out().contains("allreduce, registered memory"), run.out());
        String text = Files.readString(file);
        assertTrue(text.contains("<h2>allreduce, registered memory</h2>"), text);
        assertEquals(1, text.split("<svg", -1).length - 1, text);
        assertTrue(text.matches("(?s).*<th>candidate</th><th>64</th><th>1K</th>.*"), text);
        // a candidate that is much slower than another one at 64 bytes is not measured at 1 KiB; the fastest is
        assertTrue(
                text.matches(
                        "(?s).*<tr><th>[a-z0-9_]+@[0-9]+</th>(<td class=\"heat( chosen)?\" style=\"--slow: [01]\\.\\d{3}\"[^>]*>\\d+\\.\\d\\d</td>){2}"
                                + "</tr>.*"),
                text);
        assertTrue(text.contains(">untuned<"), text);
    }

    @Test
    void communicatorsFollowTheFile() throws IOException, InterruptedException {
        Path file = folder.resolve("ring.json");
        right("tune allreduce --backend host --ranks 2 -b 64 -e 64 --memory registered" + FEW + " --output " + file);
        TuningEntry measured = TuningEntry.load(file).getFirst();
        new TuningEntry(measured.key(), "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "ring@2")))
                .save(file);
        Map<String, String> environment = Map.of("MSCCLJ_TUNING", file.toString());
        String[] perf = {"perf", "allreduce", "--backend", "host", "--ranks", "2", "-b", "4K", "-e", "4K"};
        CommandLineRun chosen = ChildJvm.run(
                folder,
                environment,
                Stream.concat(Stream.of(perf), Stream.of("--json", "-", "--iterations", "1"))
                        .toArray(String[]::new));
        assertEquals(0, chosen.code(), chosen.err());
        assertTrue(chosen.out().contains("\"algorithm\" : \"ring\""), chosen.out());

        Files.writeString(file, Files.readString(file).replace("ring@2", "ring@1025"));
        CommandLineRun wrong = ChildJvm.run(folder, environment, perf);
        assertTrue(wrong.code() != 0, wrong.out());
        assertTrue(
                wrong.err()
                        .contains("ring.json: entries[0]: allreduce on 2 ranks, registered memory, from 0 bytes on:"
                                + " thread blocks is 1025; allowed: 1 to 1024"),
                wrong.err());
    }
}
