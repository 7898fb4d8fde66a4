package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command fails if its results cannot be written completely, and checks its output files before it measures. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputTest {
    private static final String PLAN = CommandLineRun.example("allgather_2ranks");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"--help", "info", "plan show PLAN", "launch --ranks 1 -- echo result"})
    void aFullStandardOutputIsAFailure(String line) throws IOException, InterruptedException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no /dev/full");
        assertLost(new ProcessBuilder(command(line)).redirectOutput(full.toFile()));
    }

    @Test
    void anEndedReaderIsAFailure() throws IOException, InterruptedException {
        String words = String.join("' '", command("info"));
        // The command starts writing when its reader has ended for sure.
        ProcessBuilder shell = new ProcessBuilder(
                "sh", "-c", "exec 3>&2; { sleep 1; '" + words + "' 2>&3; echo $? >'" + file("code") + "'; } | true");
        CommandLineRun run = run(shell.redirectOutput(ProcessBuilder.Redirect.DISCARD));
        assertTrue(run.err().contains("could not be written"), run.err());
        assertEquals("1", Files.readString(folder.resolve("code")).strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run PLAN --json MISSING",
                "run PLAN --trace MISSING",
                "perf allreduce --ranks 2 --json MISSING",
                "perf allreduce --ranks 2 --html MISSING",
                "perf allreduce --ranks 2 --html FOLDER",
                "simulate ring --json MISSING",
                "simulate ring --write MISSING",
                "stress --json MISSING",
                "plan show PLAN --html MISSING",
                "plan compile ring --collective allreduce --ranks 2 -o MISSING",
                "conformance --report FILE/report",
                "selftest --output FILE/out"
            })
    void aFileThatCannotBeWrittenIsToldBeforeAnythingIsDone(String line) throws IOException {
        Files.writeString(folder.resolve("file"), "kept");
        CommandLineRun run = CommandLineRun.of(words(line));
        assertEquals(2, run.code(), run.out() + run.err());
        assertEquals("", run.out());
        assertEquals(1, run.errors().size(), run.err());
        assertFalse(Files.exists(folder.resolve("missing")));
        assertEquals("kept", Files.readString(folder.resolve("file")));
    }

    @Test
    void anExistingFileIsOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "old");
        CommandLineRun run = CommandLineRun.of("run", PLAN, "--size", "1K", "--json", file.toString());
        assertEquals(0, run.code(), run.err());
        assertTrue(Files.readString(file).startsWith("{"));
    }

    private void assertLost(ProcessBuilder builder) throws IOException, InterruptedException {
        CommandLineRun run = run(builder);
        assertEquals(1, run.code(), run.err());
        assertTrue(run.err().contains("mscclj: the standard output could not be written completely"), run.err());
    }

    private CommandLineRun run(ProcessBuilder builder) throws IOException, InterruptedException {
        File err = folder.resolve("err").toFile();
        Process process = builder.redirectError(err).start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), "did not end");
            return new CommandLineRun(process.exitValue(), "", Files.readString(err.toPath()));
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> command(String line) {
        return ChildJvm.command(words(line));
    }

    private String[] words(String line) {
        return line.replace("PLAN", PLAN)
                .replace("MISSING", file("missing/file"))
                .replace("FOLDER", folder.toString())
                .replace("FILE", file("file"))
                .split(" ");
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }
}
