package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.debug.LateOrHealthy;
import org.mscclj.runtime.dump.DumpSocket;

/** {@code debug health} of processes whose sockets are in a folder of the test's own. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HealthTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private Path files;

    /** Its name is short enough for a socket. */
    private Path runtime = Path.of("");

    @BeforeEach
    void makeFolder() throws Exception {
        runtime = Files.createTempDirectory("health");
    }

    @AfterEach
    void removeFolder() throws Exception {
        Path sockets = DumpSocket.folder(variables());
        try (Stream<Path> left = Files.list(sockets)) {
            for (Path socket : left.toList()) {
                Files.delete(socket);
            }
        }
        Files.delete(sockets);
        Files.delete(runtime);
    }

    private Map<String, String> variables() {
        return Map.of("XDG_RUNTIME_DIR", runtime.toString());
    }

    private RankJvm start(String what, Map<String, String> more) throws Exception {
        Map<String, String> all = new HashMap<>(variables());
        all.putAll(more);
        return RankJvm.start(LateOrHealthy.class, files, all, what);
    }

    private CommandLineRun health(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of("debug", "health"));
        line.addAll(List.of(arguments));
        return ChildJvm.run(files, variables(), line.toArray(String[]::new));
    }

    @Test
    void aProcessWithALateLaunchIsUnhealthyAlsoAfterClose() throws Exception {
        try (RankJvm healthy = start("healthy", Map.of());
                RankJvm late = start("late", Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", "1"))) {
            String fine = number(healthy);
            String faulty = number(late);

            CommandLineRun one = health(fine);
            assertEquals("process " + fine + ": healthy\n", one.out());
            assertEquals("", one.err());
            assertEquals(0, one.code());

            CommandLineRun all = health("all", "--json", "-");
            assertEquals(1, all.code(), all.err());
            List<String> lines = all.err().lines().toList();
            assertEquals(2, lines.size(), all.err());
            assertTrue(lines.contains("process " + fine + ": healthy"), all.err());
            assertTrue(
                    lines.stream()
                            .anyMatch(line -> line.matches("process " + faulty
                                    + ": not healthy: [0-9T:-]+Z: group, rank [01]: .*launch"
                                    + " #1, allreduce of 64 bytes int32.*, and 1 more")),
                    all.err());
            String json = all.out().replaceAll("\\s+", " ");
            assertTrue(
                    json.contains(
                            "{ \"process\" : " + fine + ", \"healthy\" : true, \"faults\" : [ ], \"moreFaults\" : 0 }"),
                    all.out());
            assertTrue(
                    json.contains("{ \"process\" : " + faulty + ", \"healthy\" : false, \"faults\" : [ {"), all.out());
            assertTrue(json.contains("\"communicator\" : \"group\", \"rank\" : 1, \"kind\" : \"timeout\""), all.out());
        }
    }

    /** Simulates a stopped process: the system accepts connections for it. */
    @Test
    void aProcessThatDoesNotAnswerIsUnhealthyAndAnEndedOneIsSkipped() throws Exception {
        Path sockets = DumpSocket.folder(variables());
        ServerSocketChannel ended = listen(sockets.resolve("999999998.sock"));
        ended.close();
        try (ServerSocketChannel _ = listen(sockets.resolve("999999999.sock"))) {
            CommandLineRun all = health("all");
            assertEquals(1, all.code());
            assertEquals(
                    "process 999999999: not healthy: it has not answered within 3 s; it may have been stopped\n",
                    all.out());
            assertEquals("process 999999998 has sent nothing; it has ended or is ending\n", all.err());
        }
    }

    @Test
    void noProcessAtAllIsAnError() {
        CommandLineRun nobody = CommandLineRun.of("debug", "health", "999999999");
        assertEquals(1, nobody.code());
        assertEquals("", nobody.out());
        assertTrue(
                nobody.err().contains("no process of this user that has opened a communicator answers"), nobody.err());
        assertFalse(nobody.err().contains("\tat "), nobody.err());
    }

    private static ServerSocketChannel listen(Path socket) throws Exception {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    private static String number(RankJvm process) throws InterruptedException {
        return process.await("closed ", LIMIT).substring("closed ".length());
    }
}
