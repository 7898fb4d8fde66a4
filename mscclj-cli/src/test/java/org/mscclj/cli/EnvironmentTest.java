package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands check all environment variables before they start. */
class EnvironmentTest {
    private static final String ALLGATHER = CommandLineRun.example("allgather_2ranks");

    @TempDir
    private Path folder;

    private CommandLineRun run(Map<String, String> variables, String... args) throws IOException, InterruptedException {
        return ChildJvm.run(folder, variables, args);
    }

    /** Also variables that the command does not use. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    MSCCLJ_PROTECTION    | yes   | MSCCLJ_PROTECTION is yes; allowed: hosts, all or none
                    MSCCLJ_SHARED_QUEUES | foo   | MSCCLJ_SHARED_QUEUES is foo; allowed: warn or refuse
                    MSCCLJ_TCP_TLS       | maybe | MSCCLJ_TCP_TLS is "maybe"; allowed: 1 or 0
                    MSCCLJ_CHECK         | maybe | MSCCLJ_CHECK is "maybe"; allowed: 1 or 0
                    """)
    void badValuesAreBadUsage(String variable, String value, String told) throws IOException, InterruptedException {
        CommandLineRun run = run(Map.of(variable, value), "plan", "show", ALLGATHER);
        assertEquals(2, run.code(), run.out() + run.err());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().startsWith("mscclj plan show: " + told), run.err());
    }

    /** This command shows invalid values. */
    @Test
    void infoWarnsAndContinues() throws IOException, InterruptedException {
        CommandLineRun run = run(Map.of("MSCCLJ_TCP_CONNECTIONS", "many"), "info");
        assertEquals(0, run.code(), run.err());
        assertEquals(List.of("warning: MSCCLJ_TCP_CONNECTIONS is many; allowed: 1 to 16"), run.errors());
        assertTrue(run.out().contains("MSCCLJ_TCP_CONNECTIONS is many"), run.out());
    }

    /** Files are opened when they are needed. */
    @Test
    void commandsWithoutTransportNeedNoneOfItsFiles() throws IOException, InterruptedException {
        Map<String, String> encrypted = Map.of("MSCCLJ_TCP_TLS", "1", "MSCCLJ_TCP_KEY_STORE", "/nonexistent");
        CommandLineRun run = run(encrypted, "run", ALLGATHER, "--size", "1K", "--iterations", "1");
        assertEquals(0, run.code(), run.err());
    }

    @Test
    void helpIsAlwaysAvailable() throws IOException, InterruptedException {
        CommandLineRun run = run(Map.of("MSCCLJ_PROTECTION", "yes"), "run", "--help");
        assertEquals(0, run.code(), run.err());
        assertEquals("", run.err());
    }

    @Test
    void misspeltVariablesAreReportedOnce() throws IOException, InterruptedException {
        Map<String, String> misspelt = Map.of("MSCCLJ_TIMEOUT_SECOND", "5", "MSCCLJ_SECRETS", "0123456789abcdef");
        CommandLineRun info = run(misspelt, "info");
        assertEquals(0, info.code(), info.err());
        assertTrue(info.out().contains("not known to mscclj: MSCCLJ_SECRETS, MSCCLJ_TIMEOUT_SECOND"), info.out());
        assertFalse(info.out().contains("0123456789abcdef"), info.out());
        CommandLineRun processes = run(misspelt, "run", ALLGATHER, "--procs", "--size", "1K", "--iterations", "1");
        assertEquals(0, processes.code(), processes.err());
        assertEquals(
                List.of("warning: the environment sets MSCCLJ_SECRETS, MSCCLJ_TIMEOUT_SECOND, which mscclj does not"
                        + " know; check its spelling, mscclj info lists all names"),
                processes.errors());
    }

    @Test
    void anUnusedSecretIsReported() throws IOException, InterruptedException {
        CommandLineRun run =
                run(Map.of("MSCCLJ_SECRET", "abc"), "run", ALLGATHER, "--procs", "--size", "1K", "--iterations", "1");
        assertEquals(0, run.code(), run.err());
        assertEquals(
                List.of("note: these ranks use a random secret of their own; MSCCLJ_SECRET of the environment is not"
                        + " used"),
                run.errors());
    }
}
