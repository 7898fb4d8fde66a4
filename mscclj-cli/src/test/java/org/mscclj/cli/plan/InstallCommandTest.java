package org.mscclj.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.preference.ProgramPreference;

/** {@code mscclj plan install} writes the default plans, once. */
class InstallCommandTest {
    @TempDir
    private Path folder;

    private CommandLineRun install(Path directory, String... world) {
        String[] line = Stream.concat(
                        Stream.of("plan", "install", "--directory", directory.toString()), Stream.of(world))
                .toArray(String[]::new);
        return CommandLineRun.of(line);
    }

    private static Map<Path, FileTime> files(Path directory) throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                times.put(file, Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    @Test
    void aSecondRunChangesNothing() throws IOException {
        Path plans = folder.resolve("new");
        CommandLineRun first = install(plans, "--ranks", "4", "--ranks-per-node", "2");
        assertEquals(0, first.code(), first.err());
        int count = DefaultPrograms.sized(4, 2, ProgramPreference.HOST).size();
        assertEquals(
                count,
                first.out().lines().filter(line -> line.startsWith("wrote ")).count(),
                first.out());
        for (Path file : files(plans).keySet()) {
            assertTrue(first.out().contains("wrote " + file), first.out());
            assertEquals(4, PlanReader.read(file).worldSize());
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        }
        Map<Path, FileTime> before = files(plans);
        CommandLineRun second = install(plans, "--ranks", "4", "--ranks-per-node", "2");
        assertEquals(0, second.code(), second.err());
        assertEquals("0 plans written, " + count + " were there, in " + plans + "\n", second.out());
        assertEquals(before, files(plans));
        CommandLineRun list = CommandLineRun.of("plan", "list", "--directory", plans.toString(), "--installed");
        assertEquals(
                count,
                list.out()
                        .lines()
                        .filter(line -> line.contains(" of 4 ranks, "))
                        .count(),
                list.out());
    }

    @Test
    void badUsageSaysWhatIsAllowed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        for (CommandLineRun run : new CommandLineRun[] {
            install(folder), install(folder, "--ranks", "3", "--ranks-per-node", "2"), install(file, "--ranks", "2")
        }) {
            assertEquals(2, run.code(), run.out());
            assertEquals(1, run.errors().size(), run.err());
        }
        assertTrue(install(file, "--ranks", "2").err().contains("allowed: a folder"));
        Path beneath = file.resolve("plans");
        CommandLineRun unwritable = install(beneath, "--ranks", "1");
        assertEquals(1, unwritable.code(), unwritable.out());
        assertTrue(unwritable.err().contains("--directory"), unwritable.err());
    }
}
