package org.mscclj.backend.cuda.standin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What headers say about structures and constants, by a program in C that prints it.
 *
 * @param numbers by what the program calls them; offsets and sizes in bytes
 */
public record Headers(Map<String, Long> numbers) {
    private static final String SOURCE = "src/test/c/headers.c";

    /** What {@code cuda.h} says; skips the test where there is no toolkit. */
    public static Headers read(Path folder) throws IOException, InterruptedException {
        String program = folder.resolve("headers").toString();
        List<String> command = List.of("nvcc", "--cudart=none", SOURCE, "-o", program);
        Process compiling;
        try {
            compiling = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException _) {
            String missing =
                    "nvcc is not on PATH, which finds cuda.h: the structures of the driver are not compared with it";
            assumeTrue(false, missing);
            throw new IllegalStateException(missing);
        }
        output(compiling, String.join(" ", command));
        String text =
                output(new ProcessBuilder(program).redirectErrorStream(true).start(), program);
        return new Headers(text.lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))));
    }

    private static String output(Process process, String command) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " failed:\n" + output);
        }
        return output;
    }

    /** Whether the program has found a header that not all toolkits have, which has this. */
    public boolean has(String name) {
        return numbers.containsKey(name);
    }

    /**
     * A number.
     *
     * @param name as the program calls it
     */
    public long get(String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException(
                    SOURCE + " prints no \"" + name + "\", but " + numbers.keySet() + "; add it there");
        }
        return number;
    }
}
