package org.mscclj.cli.guide;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.cli.CommandLineRun;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The command accepts all command lines of the README and the guide. */
class GuideCommandsTest {
    private static final Pattern CALL = Pattern.compile("(?<![\\w/])(?:\\./)?mscclj ");

    /** A word of a command line as a shell reads it, with its quotation marks. */
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");

    /** Commands that the start script executes itself. */
    private static final Set<String> OF_THE_SCRIPT = Set.of("java", "dist", "nccl");

    /** Options of Java, in the requirements of GPUs. */
    private static final Set<String> OF_JAVA = Set.of("--enable-native-access");

    @Test
    void everyCommandToCopyIsUnderstood() {
        List<String> calls = ofTheCommand(Page.guide().stream().flatMap(GuideCommandsTest::inBlocks));
        assertTrue(calls.size() > 18, calls::toString);
        for (String call : calls) {
            assertDoesNotThrow(() -> CommandLineRun.parse(words(call)), call);
        }
    }

    /** A sentence may name an option of a command without its value. */
    @Test
    void everyCommandInASentenceIsUnderstood() {
        List<String> calls = ofTheCommand(Page.guide().stream().flatMap(page -> page.codeInProse().stream()));
        assertTrue(calls.size() > 15, calls::toString);
        for (String call : calls) {
            assertDoesNotThrow(
                    () -> {
                        try {
                            CommandLineRun.parse(words(call));
                        } catch (MissingParameterException e) {
                            // the reader adds it
                        }
                    },
                    call);
        }
    }

    @Test
    void aMistakeIsDetected() {
        for (String call : List.of(
                "run plan.json --sizes 1M", "pref allreduce", "perf allreduce --ranks many", "plan prove plan.json")) {
            assertThrows(ParameterException.class, () -> CommandLineRun.parse(words(call)), call);
        }
    }

    @Test
    void everyFileOfTheExamplesExists() {
        List<String> files = Page.guide().stream()
                .flatMap(GuideCommandsTest::inBlocks)
                .flatMap(line -> Stream.of(line.split(" ")))
                .filter(word -> word.startsWith("examples/"))
                .distinct()
                .toList();
        assertTrue(files.size() > 2, files::toString);
        for (String file : files) {
            assertTrue(Files.exists(CommandLineRun.ROOT.resolve(file)), file);
        }
    }

    @Test
    void everyOptionExists() throws IOException {
        Set<String> named = new TreeSet<>();
        Page.guide().stream()
                .flatMap(page -> page.codeInProse().stream())
                .forEach(code -> OPTION.matcher(code).results().forEach(option -> named.add(option.group())));
        assertTrue(named.size() > 30, named::toString);
        StringBuilder helps = new StringBuilder(Files.readString(CommandLineRun.ROOT.resolve("config/dist/dist.sh")));
        for (String command : List.of(
                "run",
                "perf",
                "launch",
                "conformance",
                "simulate",
                "selftest",
                "stress",
                "plan show",
                "plan verify",
                "plan list",
                "plan compile",
                "plan install",
                "debug fr-trace")) {
            helps.append(CommandLineRun.of((command + " --help").split(" ")).out());
        }
        for (String option : named) {
            assertTrue(
                    OF_JAVA.contains(option)
                            || Pattern.compile(option + "(?![\\w-])")
                                    .matcher(helps)
                                    .find(),
                    option);
        }
    }

    /** The calls in lines that the command itself reads. */
    private static List<String> ofTheCommand(Stream<String> lines) {
        return lines.flatMap(GuideCommandsTest::calls)
                .filter(call -> !OF_THE_SCRIPT.contains(call.split(" ")[0]))
                .distinct()
                .toList();
    }

    /** The lines of the blocks to copy into a shell; a line that goes on is one line. */
    private static Stream<String> inBlocks(Page page) {
        return page.blocks("sh").stream()
                .flatMap(block -> block.replaceAll("\\\\\n\\s*", "").lines());
    }

    /** The arguments of the calls in a line: of a launcher, also those of the call that it starts. */
    private static Stream<String> calls(String line) {
        return CALL.matcher(line)
                .results()
                .map(call -> line.substring(call.end()).strip());
    }

    @Test
    void commandsOfTheScriptExist() throws IOException {
        Path start = CommandLineRun.ROOT.resolve("config/dist/lib/start");
        assertTrue(Files.readString(CommandLineRun.ROOT.resolve("mscclj")).contains("= dist ]"), "mscclj dist");
        assertTrue(Files.readString(start).contains("= java ]"), "mscclj java");
        assertTrue(Files.readString(CommandLineRun.ROOT.resolve("mscclj")).contains("= nccl ]"), "mscclj nccl");
    }

    private static String[] words(String call) {
        return WORD.matcher(call)
                .results()
                .map(word -> word.group().replaceAll("['\"]", ""))
                .toArray(String[]::new);
    }
}
