package org.mscclj.device.kernels.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * A signal that a peer sends right before its word is set is received at any time: the waits of the device library are
 * compiled for the host, with loads that change memory.
 */
class LastLookTest {
    /** The headers that the program replaces by stubs. */
    private static final List<String> STUBS = List.of("memory", "copy", "packet", "value");

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : command.getFirst() + " failed:\n" + output;
    }

    private static boolean isThere(String compiler) throws InterruptedException {
        try {
            return run(List.of(compiler, "--version")).isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void signalsBeforeTheClosingAreReceived(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(isThere("c++"), "c++ is not on PATH, which compiles the waits of the device library");
        Path library = Files.createDirectory(folder.resolve("mscclj"));
        for (String stub : STUBS) {
            Files.writeString(library.resolve(stub + ".cuh"), "#pragma once\n");
        }
        for (String file : List.of("spin.cuh", "signals.cuh", "memorychannel.cuh")) {
            Files.writeString(library.resolve(file), DeviceLibrary.read("mscclj/" + file));
        }
        Path program = folder.resolve("lastlook.cpp");
        try (InputStream in = Objects.requireNonNull(LastLookTest.class.getResourceAsStream("lastlook.cpp"))) {
            Files.copy(in, program);
        }
        String binary = folder.resolve("lastlook").toString();
        assertEquals(
                "",
                run(List.of("c++", "-std=c++17", "-O1", "-I", folder.toString(), "-o", binary, program.toString())));
        assertEquals("", run(List.of(binary)));
    }
}
