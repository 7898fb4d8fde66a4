package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.transport.tcp.connection.TcpConnection;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Leaks of sockets and threads of the whole process. */
@Isolated
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpResourcesTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    @Test
    void manyConnectionsLeakNothing() throws IOException {
        openAndClose(20); // what is loaded once
        long before = openSockets();
        openAndClose(200);
        assertEquals(0, loops());
        assertNoMoreThan(before, openSockets());
    }

    /** As many as one connection needs: two sockets with two ends each. */
    @Test
    void connectionsOfTwoProcessesShareSockets() throws IOException {
        openAndClose(20); // what is loaded once
        TcpSettings other = new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                2,
                Duration.ofSeconds(21),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
        List<Side> all = new ArrayList<>();
        try {
            all.addAll(Side.pair(TcpSettings.DEFAULTS, other, 64));
            long ofOne = openSockets();
            for (int i = 0; i < 100; i++) {
                all.addAll(Side.pair(TcpSettings.DEFAULTS, other, 64));
            }
            assertNoMoreThan(ofOne, openSockets());
            for (int i = 0; i < all.size(); i += 2) {
                Side left = all.get(i);
                left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
                assertEquals(1, all.get(i + 1).counter());
            }
        } finally {
            all.forEach(Side::close);
        }
        assertEquals(0, loops());
    }

    /** Fewer sockets are no leak: those of earlier tests may close while this test runs. */
    private static void assertNoMoreThan(long before, long after) {
        assertTrue(after <= before, () -> before + " open sockets became " + after);
    }

    private static void openAndClose(int times) {
        for (int i = 0; i < times; i++) {
            List<Side> sides = Side.pair(TcpSettings.DEFAULTS, 1 << 16);
            try (Side left = sides.getFirst();
                    Side right = sides.getLast()) {
                left.connection.write(left.memory, 0, left.peerMemory, 64, 60_000);
                left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
                assertEquals(1, right.counter());
            }
        }
    }

    private static long loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("mscclj-tcp"))
                .count();
    }

    /** Sockets alone: the JVM opens files of its own at any time, to read the limits of its control group. */
    private static long openSockets() throws IOException {
        assumeTrue(Files.isDirectory(OPEN_FILES), "there is no " + OPEN_FILES);
        long sockets = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path file : files) {
                if (isSocket(file)) {
                    sockets++;
                }
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (NoSuchFileException e) {
            return false; // closed since it was listed
        }
    }

    /** One port is enough for all transports, in sequence. */
    @Test
    void aRangeOfPortsIsKept() throws IOException {
        int free;
        try (java.net.ServerSocket probe = new java.net.ServerSocket(0)) {
            free = probe.getLocalPort();
        }
        TcpSettings settings = new TcpSettings(
                new PortRange(free, free),
                Optional.of("127.0.0.1"),
                2,
                Duration.ofSeconds(20),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
        for (int i = 0; i < 3; i++) {
            List<Side> sides = Side.pair(settings, 64);
            try (Side left = sides.getFirst();
                    Side right = sides.getLast()) {
                assertEquals(
                        free,
                        ((TcpConnection) left.connection)
                                .description()
                                .address()
                                .getPort());
                left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
                assertEquals(1, right.counter());
            }
        }
    }
}
