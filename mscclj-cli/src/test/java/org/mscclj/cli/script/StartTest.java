package org.mscclj.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.cli.CommandLineRun;

/** The script that starts the Java of the command. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"MSCCLJ_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"})
    void aCollectorOfTheEnvironmentIsUsed(String variable) throws IOException, InterruptedException {
        CommandLineRun run = start(Map.of(variable, "-XX:+UseParallelGC -Xlog:gc+init"), "--version");
        assertEquals(0, run.code(), run.out() + run.err());
        assertTrue(run.out().contains("Parallel Workers"), run.out());
    }

    @Test
    void javaIsTheJavaOfTheCommandWithAllOfItOnTheClassPath() throws IOException, InterruptedException {
        Path program = Files.writeString(folder.resolve("Program.java"), """
                import org.mscclj.api.Platform;

                public class Program {
                    public static void main(String[] args) {
                        System.out.println(Platform.instance().backends().stream().anyMatch(
                                backend -> backend.name().equals("host") && backend.unavailable().isEmpty()));
                        System.out.println(System.getProperty("java.home") + " " + args[0]);
                    }
                }
                """);
        CommandLineRun run = start(Map.of(), "java", program.toString(), "--fly");
        assertEquals(0, run.code(), run.err());
        assertEquals("true\n" + System.getProperty("java.home") + " --fly\n", run.out());
    }

    @Test
    void commandsWithoutRanksStartWithoutWarnings() throws IOException, InterruptedException {
        for (String command : List.of("--version", "help", "plan list")) {
            CommandLineRun run = start(Map.of(), command.split(" "));
            assertEquals("", run.err(), command);
            assertEquals(0, run.code(), command);
        }
    }

    private CommandLineRun start(Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                CommandLineRun.ROOT.resolve("config/dist/lib/start").toString(),
                System.getProperty("java.home"),
                // The folder of the libraries comes last, which is empty here.
                System.getProperty("jdk.module.path") + ":" + Files.createDirectories(folder.resolve("lib"))));
        command.addAll(List.of(arguments));
        return Checkout.run(Files.createDirectories(folder.resolve("work")), variables, command);
    }
}
