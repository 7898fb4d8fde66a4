package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Programs in C++ that run files of the device library on the host; without a compiler, their tests are skipped. */
public final class HostProgram {
    private HostProgram() {}

    /**
     * Compiles a program with files of the device library, and runs it; returns what it or the compiler said if it
     * failed, and nothing otherwise.
     *
     * @param folder folder for files
     * @param test the class beside whose resources the program is
     * @param name the program's name, as {@code lastlook}
     * @param files the files of the library that it includes, as {@code spin}
     * @param stubs the files that it replaces by its own functions
     */
    public static String run(Path folder, Class<?> test, String name, List<String> files, List<String> stubs)
            throws IOException, InterruptedException {
        assumeTrue(isThere(), "c++ is not on PATH, which compiles parts of the device library for the host");
        Path library = Files.createDirectory(folder.resolve("mscclj"));
        for (String stub : stubs) {
            Files.writeString(library.resolve(stub + ".cuh"), "#pragma once\n");
        }
        for (String file : files) {
            Files.writeString(library.resolve(file + ".cuh"), DeviceLibrary.read("mscclj/" + file + ".cuh"));
        }
        Path program = folder.resolve(name + ".cpp");
        try (InputStream in = Objects.requireNonNull(test.getResourceAsStream(name + ".cpp"))) {
            Files.copy(in, program);
        }
        String binary = folder.resolve(name).toString();
        String said =
                call(List.of("c++", "-std=c++17", "-O1", "-I", folder.toString(), "-o", binary, program.toString()));
        return said.isEmpty() ? call(List.of(binary)) : said;
    }

    private static String call(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : command.getFirst() + " failed:\n" + output;
    }

    private static boolean isThere() throws InterruptedException {
        try {
            return call(List.of("c++", "--version")).isEmpty();
        } catch (IOException _) {
            return false;
        }
    }
}
