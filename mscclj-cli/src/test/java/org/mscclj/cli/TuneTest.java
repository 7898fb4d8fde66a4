package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.plan.preference.SelectionText;

/** {@code mscclj tune}, and communicators that choose by its table. */
class TuneTest {
    @TempDir
    private Path folder;

    private static CommandLineRun right(String command) {
        CommandLineRun run = CommandLineRun.of(command.split(" "));
        assertEquals(0, run.code(), run.err());
        return run;
    }

    @Test
    void theTableHasASectionForEachCollectiveAndMemory() throws IOException {
        Path file = folder.resolve("host.selection");
        CommandLineRun run = right("tune allreduce broadcast --backend host --ranks 2 -b 64 -e 1K -f 16 --iterations 2"
                + " --warmup 1ms --timeout 20s --output " + file);
        String text = Files.readString(file);
        assertEquals(run.out(), text);
        assertTrue(text.startsWith("selection 1\n# mscclj tune, 2 ranks, backend host, float16, 20"), text);
        SelectionTable table = SelectionText.parse(text, file.toString());
        for (Collective collective : List.of(Collective.ALLREDUCE, Collective.BROADCAST)) {
            for (boolean registered : new boolean[] {true, false}) {
                SelectionRow row = table.find(collective, 2, registered, 0).orElseThrow();
                assertTrue(text.contains(row.program() + "@" + row.blocks() + " "), text);
            }
        }
        assertFalse(text.contains("ll128"), () -> "a CPU sends no lines: " + text);
    }

    /** What was measured between nodes would count for ranks of one node. */
    @Test
    void ranksOfSeveralNodesAreNotMeasured() {
        CommandLineRun run =
                CommandLineRun.of("tune", "allreduce", "--backend", "host", "--ranks", "2", "--ranks-per-node", "1");
        assertEquals(2, run.code(), run.out());
        assertTrue(
                run.err().contains("ranks on each node is 1 of 2; allowed: all: selection tables are for one node"),
                run.err());
    }

    /** The list, the simulator and communicators ask the same function. */
    @Test
    void toolsThatTellTheChoiceFollowTheTable() throws IOException, InterruptedException {
        Path file = folder.resolve("ring.selection");
        Files.writeString(file, "selection 1\nallreduce 2 registered\n  0 ring 2\n  64K packets_ll128 4\n");
        Map<String, String> environment = Map.of("MSCCLJ_SELECTION", file.toString(), "MSCCLJ_LL128", "0");
        CommandLineRun listed = ChildJvm.run(folder, environment, "plan", "list", "--ranks", "2", "--gpu");
        assertEquals(0, listed.code(), listed.err());
        assertTrue(listed.out().contains("up to 65535 bytes, 2 blocks, registered buffers: allreduce"), listed.out());
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
    }

    @Test
    void theReportHasAPlotAndATableForEachSection() throws IOException {
        Path file = folder.resolve("tune.html");
        CommandLineRun run = right("tune allreduce --backend host --ranks 2 -b 64 -e 1K -f 16 --iterations 2"
                + " --warmup 1ms --timeout 20s --memory registered --html " + file);
        assertTrue(run.out().contains("allreduce 2 registered"), run.out());
        String text = Files.readString(file);
        assertTrue(text.contains("<h2>allreduce on 2 ranks, registered memory</h2>"), text);
        assertEquals(1, text.split("<svg", -1).length - 1, text);
        assertTrue(text.matches("(?s).*<th>candidate</th><th>64</th><th>1K</th>.*"), text);
        assertTrue(
                text.matches(
                        "(?s).*<tr><th>packets@1</th>(<td style=\"--slow: [01]\\.\\d{3}\"[^>]*>\\d+\\.\\d\\d</td>){2}"
                                + "</tr>.*"),
                text);
        assertTrue(text.contains(">untuned<"), text);
    }

    @Test
    void communicatorsFollowTheTable() throws IOException, InterruptedException {
        Path file = folder.resolve("ring.selection");
        Files.writeString(file, "selection 1\nallreduce 2 registered\n  0 ring 2\n");
        Map<String, String> environment = Map.of("MSCCLJ_SELECTION", file.toString());
        CommandLineRun chosen = ChildJvm.run(
                folder,
                environment,
                "perf",
                "allreduce",
                "--backend",
                "host",
                "--ranks",
                "2",
                "-b",
                "4K",
                "-e",
                "4K",
                "--json",
                "-",
                "--iterations",
                "1");
        assertEquals(0, chosen.code(), chosen.err());
        assertTrue(chosen.out().contains("\"algorithm\" : \"ring\""), chosen.out());

        Files.writeString(file, "selection 1\nallreduce 2 registered\n  0 rings 2\n");
        CommandLineRun wrong = ChildJvm.run(
                folder, environment, "perf", "allreduce", "--backend", "host", "--ranks", "2", "-b", "4K", "-e", "4K");
        assertTrue(wrong.code() != 0, wrong.out());
        assertTrue(
                wrong.err().contains("ring.selection: allreduce 2 registered, from 0 bytes on: program is \"rings\""),
                wrong.err());
    }
}
