package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Fault;
import org.mscclj.api.FaultKind;
import org.mscclj.api.Health;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.runtime.recorder.TestRecorders;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** Dumps on demand, when what is dumped fails. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DumpServerTest {
    /** Longer than a machine may be busy. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** With who does not read. */
    private static final Duration SHORT = Duration.ofMillis(200);

    private static final Health HEALTH = new Health(
            List.of(new Fault(Instant.EPOCH, "world", 1, FaultKind.RANK_LOST, "rank 0 is lost: it has \"ended\"")), 4);

    /** A folder whose name is short enough for a socket. */
    private static <T> T withServer(Supplier<List<RankDump>> dumps, Clients<T> clients) throws Exception {
        return withServer(dumps, TIMEOUT, clients);
    }

    private static <T> T withServer(Supplier<List<RankDump>> dumps, Duration timeout, Clients<T> clients)
            throws Exception {
        return withServer(dumps, timeout, TIMEOUT, clients);
    }

    private static <T> T withServer(
            Supplier<List<RankDump>> dumps, Duration timeout, Duration drivers, Clients<T> clients) throws Exception {
        Path folder = Files.createTempDirectory("dump");
        Path socket = folder.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread serving =
                    Thread.ofPlatform().start(new DumpServer(server, () -> HEALTH, dumps, timeout, drivers)::serve);
            T result = clients.of(socket);
            server.close();
            serving.join();
            return result;
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(folder);
        }
    }

    private interface Clients<T> {
        T of(Path socket) throws Exception;
    }

    private static String read(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A rank with one launch in flight. */
    private static RankDump dump(String communicator, Object words, Runnable driver) {
        LaunchOrder order = new LaunchOrder();
        AbortFlag abort = new AbortFlag();
        FlightRecorder recorder = TestRecorders.patient(4, order, abort);
        RecordedOperation.Progress progress = new RecordedOperation.Progress() {
            @Override
            public boolean isEnded(long number) {
                return false;
            }

            @Override
            public long atWork() {
                driver.run();
                return 1;
            }
        };
        OperationDescription description = new OperationDescription("allreduce", "int8", "sum", -1, 64, true, "ring");
        recorder.enqueued(new RecordedOperation(description, words, Optional.empty(), progress), 1, order.take(), 0);
        return new RankDump(
                new CommunicatorIdentity(communicator, "job", List.of(0, 1)), 0, recorder, abort, Optional::empty);
    }

    private static RankDump healthy() {
        return dump("healthy", "allreduce", () -> {});
    }

    @Test
    void aDeviceThatFailsLeavesTheRestOfTheDump() throws Exception {
        RankDump broken = dump("broken", "allreduce", () -> {
            throw new BackendException("cuMemcpyDtoHAsync", 700, "CUDA_ERROR_ILLEGAL_ADDRESS");
        });
        String text = withServer(() -> List.of(broken, healthy()), DumpServerTest::read);
        assertTrue(text.contains("\"communicator\":\"broken\""), text);
        assertTrue(text.contains("\"host\":\""), text);
        assertTrue(text.contains("\"state\":\"unknown\""), text);
        assertTrue(text.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), text);
        assertTrue(text.contains("\"state\":\"started\""), text);
    }

    /** As of a ring that is too large for the memory that is left. */
    @Test
    void aCommunicatorThatCannotBeDumpedSaysWhy() throws Exception {
        Object words = new Object() {
            @Override
            public String toString() {
                throw new OutOfMemoryError("on purpose");
            }
        };
        String text = withServer(() -> List.of(dump("large", words, () -> {}), healthy()), DumpServerTest::read);
        assertTrue(text.contains("\"communicator\":\"large\",\n\"id\":\"job\""), text);
        assertTrue(text.contains("\"error\":\"java.lang.OutOfMemoryError: on purpose\""), text);
        assertTrue(text.contains("\"communicator\":\"healthy\""), text);
    }

    @Test
    void whoAsksIsToldThatNothingCanBeDumped() throws Exception {
        String text = withServer(
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                DumpServerTest::read);
        assertTrue(text.startsWith("[{\"process\":" + ProcessHandle.current().pid() + ",\n\"healthy\":false,\n"), text);
        assertTrue(text.endsWith("},\n{\"error\":\"java.lang.IllegalStateException: on purpose\"}]\n"), text);
    }

    @Test
    void healthIsTheFirstAndDoesNotWaitForDumps() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        String expected = "[{\"process\":" + ProcessHandle.current().pid()
                + ",\n\"healthy\":false,\n\"faults\":[{\"time\":\"1970-01-01T00:00:00Z\",\n\"communicator\":\"world\",\n\"rank\":1,"
                + "\n\"kind\":\"rank_lost\",\n\"reason\":\"rank 0 is lost: it has \\\"ended\\\"\"}],\n\"moreFaults\":4}";
        Supplier<List<RankDump>> late = () -> {
            try {
                read.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return List.of();
        };
        withServer(late, socket -> {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket));
                InputStream answer = Channels.newInputStream(channel);
                assertEquals(expected, new String(answer.readNBytes(expected.length()), StandardCharsets.UTF_8));
                read.countDown();
                assertEquals("]\n", new String(answer.readAllBytes(), StandardCharsets.UTF_8));
                return true;
            }
        });
    }

    /** Who asks for dumps waits no longer, however many communicators use a driver that is stuck. */
    @Test
    void driversThatAreStuckAreWaitedForTogether() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        List<RankDump> stuck = IntStream.range(0, 8)
                .mapToObj(number -> dump("stuck" + number, "allreduce", () -> await(never)))
                .toList();
        String text = withServer(() -> stuck, TIMEOUT, SHORT, DumpServerTest::read); // one after the other, minutes
        never.countDown();
        for (int number = 0; number < 8; number++) {
            assertTrue(text.contains("\"communicator\":\"stuck" + number), text);
        }
        assertEquals(9, text.split("its device does not answer", -1).length, text);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eachDumpIsSentBeforeTheNextIsMade() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        RankDump slow = dump("slow", "allreduce", () -> await(read));
        String rest = withServer(() -> List.of(healthy(), slow), socket -> {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket));
                InputStream answer = Channels.newInputStream(channel);
                StringBuilder first = new StringBuilder();
                while (first.indexOf("\"messages\":[]}") < 0) { // the end of a dump
                    first.append((char) answer.read());
                }
                assertTrue(first.indexOf("\"communicator\":\"healthy\"") > 0, first::toString);
                read.countDown();
                return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
        assertTrue(rest.contains("\"communicator\":\"slow\""), rest);
        assertTrue(rest.contains("\"state\":\"started\""), rest);
    }

    /**
     * More than a socket holds, so that the server waits for whoever does not read. Who reads has no more time, which a
     * busy machine may take it, and then asks again.
     */
    @Test
    void whoDoesNotReadHoldsNobodyUp() throws Exception {
        RankDump large = dump("large", "x".repeat(1 << 20), () -> {});
        String text = withServer(() -> List.of(large), SHORT, socket -> {
            try (SocketChannel idle = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                idle.connect(UnixDomainSocketAddress.of(socket));
                String read = read(socket);
                while (!read.endsWith("]\n")) {
                    read = read(socket);
                }
                return read;
            }
        });
        assertTrue(text.length() > 1 << 20);
    }
}
