package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A plan's name comes from its file: it may contain control sequences, and may be long. Isolated, since other plans of
 * this process would appear in the traces.
 */
@Isolated
class PlanNamesTest {
    private static final String EVIL = "evil\\n\\u001b[31mmscclj: proved\\u0000\\u202eabc\\u2028";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @Test
    void noCommandPrintsControlSequences() throws IOException {
        String plan = planNamed(EVIL);
        Path html = folder.resolve("show.html");
        Path trace = folder.resolve("trace.json");
        for (String[] words : new String[][] {
            {"plan", "verify", plan},
            {"plan", "show", plan},
            {"plan", "show", plan, "--html", html.toString()},
            {"plan", "list", "--directory", folder.toString()},
            {"run", plan, "--size", "4K", "--iterations", "0", "--trace", trace.toString()},
            {"run", plan, plan, "--size", "4K"},
            {"run", plan, "--size", "7"},
            {"run", plan, "--op", "max"},
            {"simulate", plan, "--size", "4K"},
        }) {
            CommandLineRun run = CommandLineRun.of(words);
            assertPlain(String.join(" ", words), run.out() + run.err());
        }
        assertPlain("the page", Files.readString(html));
        assertPlain("the trace", Files.readString(trace));
    }

    @Test
    void aLongNameIsShortened() throws IOException {
        String plan = planNamed("x".repeat(99_999));
        Path trace = folder.resolve("trace.json");
        CommandLineRun run = CommandLineRun.of(
                "run", plan, "--size", "4K", "--iterations", "0", "--procs", "--trace", trace.toString());
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().length() < 2000, run.out());
        assertTrue(Files.size(trace) < 1 << 20);
    }

    private String planNamed(String name) throws IOException {
        String text = Files.readString(Path.of(CommandLineRun.example("allgather_2ranks")));
        String named = text.replaceFirst("\"name\": *\"[^\"]*\"", "\"name\":\"" + name.replace("\\", "\\\\") + '"');
        return Files.writeString(folder.resolve("plan.json"), named).toString();
    }

    private static void assertPlain(String what, String text) {
        assertTrue(
                text.chars().noneMatch(c -> c != '\n' && (Character.isISOControl(c) || c == 0x202e || c == 0x2028)),
                () -> what + ": " + text);
        assertTrue(text.lines().noneMatch(line -> line.startsWith("mscclj: proved")), () -> what + ": " + text);
    }
}
