package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command prints the same text in every locale. In ar-EG, formatted numbers have other digits. */
class LocaleTest {

    /** Runs commands in one VM, and prints what they print. */
    static final class Commands {
        private Commands() {}

        public static void main(String[] arguments) {
            String plan = CommandLineRun.example("allreduce_packets_2ranks");
            StringBuilder said = new StringBuilder(Locale.getDefault() + "\n");
            for (List<String> words : List.of(
                    List.of("plan", "verify", plan),
                    List.of("plan", "show", plan),
                    List.of("plan", "show", plan, "--html", "-"),
                    List.of("plan", "list"),
                    List.of("run", plan, "--size", "4K", "--iterations", "2"),
                    List.of("simulate", plan, "--size", "1K,4K"),
                    List.of("simulate", plan, "--size", "1K", "--json", "-"),
                    List.of("perf", "allreduce", "-b", "1K", "-e", "4K", "--iterations", "2", "--warmup", "1ms"),
                    List.of("info"))) {
                CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
                said.append("exit ")
                        .append(run.code())
                        .append(' ')
                        .append(words)
                        .append('\n');
                said.append(run.out()).append(run.err());
            }
            System.out.writeBytes(said.toString().getBytes(StandardCharsets.UTF_8));
            System.exit(0);
        }
    }

    @Test
    void numbersHaveAsciiDigitsInEveryLanguage(@TempDir Path folder) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(
                        JavaCommand.of(Commands.class, List.of("-Duser.language=ar", "-Duser.country=EG")))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertTrue(process.waitFor(180, TimeUnit.SECONDS), "did not end");
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(out);
        assertTrue(said.contains("ar_EG"), said);
        assertEquals("", said.lines().filter(LocaleTest::isLocalized).collect(Collectors.joining("\n")));
        List<String> ends =
                said.lines().filter(line -> line.startsWith("exit ")).toList();
        assertEquals(9, ends.size(), said);
        assertTrue(ends.stream().allMatch(line -> line.startsWith("exit 0 ")), said);
    }

    /** Whether a line has digits or separators of Arabic. */
    private static boolean isLocalized(String line) {
        return line.chars().anyMatch(c -> Character.UnicodeBlock.of(c) == Character.UnicodeBlock.ARABIC);
    }
}
