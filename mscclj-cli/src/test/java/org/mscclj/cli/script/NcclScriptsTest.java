package org.mscclj.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;

/** Scripts that measure request NCCL of Python's packages only where {@code mscclj info} finds no other one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NcclScriptsTest {
    private static final String FOUND = "available: NCCL 2.27.5, /toolkit/libnccl.so.2, NCCL_NVLS_ENABLE=0";
    private static final String MISSING = "not available: libnccl.so.2 not found";

    /** A command whose {@code info} finds what {@code STATE} says, and which otherwise notes its variable. */
    private static final String COMMAND = """
            #!/bin/sh
            state=$STATE
            if [ "${MSCCLJ_NCCL_LIB:-}" = python ]; then
                state='available: NCCL 2.27.5, /python/libnccl.so.2, NCCL_NVLS_ENABLE=0'
            fi
            if [ "$1" = info ]; then
                echo "fallbacks"
                echo "  nccl             $state"
            else
                echo "${MSCCLJ_NCCL_LIB-unset}" >>"$NOTES"
            fi
            """;

    @TempDir
    private Path folder;

    @Test
    void gpuCheck() throws IOException, InterruptedException {
        Path script = script("config/dist/bin/gpu-check");
        for (Map.Entry<String, String> state :
                Map.of(FOUND, "unset", MISSING, "python").entrySet()) {
            assertEquals(state.getValue(), library(state.getKey(), Map.of(), List.of(script.toString())));
        }
        assertEquals("/given", library(MISSING, Map.of("MSCCLJ_NCCL_LIB", "/given"), List.of(script.toString())));
    }

    @Test
    void gpuResults() throws IOException, InterruptedException {
        Path script = script("benchmarks/gpu-results.sh");
        List<String> command = List.of(
                script.toString(),
                folder.resolve("bin/mscclj").toString(),
                folder.resolve("results").toString(),
                "load");
        for (Map.Entry<String, String> state :
                Map.of(FOUND, "unset", MISSING, "python").entrySet()) {
            assertEquals(state.getValue(), library(state.getKey(), Map.of("GPUS", "1"), command));
        }
    }

    /** The C++ program takes paths only. */
    @Test
    void compareNccl() throws IOException, InterruptedException {
        Path script = script("config/dist/bin/compare-nccl");
        Map<String, String> variables = Map.of(
                "PROGRAM",
                folder.resolve("bin/mscclj").toString(),
                "RANKS",
                "1",
                "RUNS",
                "1",
                "OUTPUT",
                folder.resolve("compared").toString());
        for (Map.Entry<String, String> state : Map.of(FOUND, "/toolkit/libnccl.so.2", MISSING, "/python/libnccl.so.2")
                .entrySet()) {
            assertEquals(state.getValue(), library(state.getKey(), variables, List.of(script.toString(), "allreduce")));
        }
    }

    /** Copies a script beside a command. */
    private Path script(String name) throws IOException {
        Path copy = folder.resolve("bin").resolve(Path.of(name).getFileName());
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, Files.readString(CommandLineRun.ROOT.resolve(name)));
        Path command = copy.resolveSibling("mscclj");
        Files.writeString(command, COMMAND);
        assertTrue(copy.toFile().setExecutable(true) && command.toFile().setExecutable(true));
        return copy;
    }

    /** Runs a script, and returns the variable that its first command has. */
    private String library(String state, Map<String, String> variables, List<String> command)
            throws IOException, InterruptedException {
        Path notes = Files.createTempFile(folder, "notes", "");
        Map<String, String> all = new HashMap<>(Map.of("STATE", state, "NOTES", notes.toString()));
        all.putAll(variables);
        CommandLineRun run = Checkout.run(Files.createDirectories(folder.resolve("work")), all, command);
        return Files.readAllLines(notes).stream().findFirst().orElseGet(() -> run.code() + " " + run.out() + run.err());
    }
}
