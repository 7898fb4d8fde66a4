package org.mscclj.conformance.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.Availability;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/**
 * A failure of a queue pair ends its connection within a time limit, with a reason, and no other connection. Needs an
 * adapter: {@code it/softroce} runs it in a guest that has one.
 */
@Isolated("changes the state of the adapter, and counts its objects")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IbFaultsTest {
    private static final int BYTES = 4096;
    private static final int CONNECTS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private @Nullable Backend backend;
    private @Nullable Ends ends;

    /** Two ranks of this process. */
    private record Ends(BackendDevice near, BackendDevice far, Transport sender, Transport receiver) {
        Link connect() {
            try (TransportEndpoint here = sender.createEndpoint(receiver.describeAddress());
                    TransportEndpoint there = receiver.createEndpoint(sender.describeAddress())) {
                return new Link(
                        here.connect(there.describe()), there.connect(here.describe()), new AtomicReference<>());
            }
        }
    }

    private record Link(TransportConnection near, TransportConnection far, AtomicReference<@Nullable String> farFailure)
            implements AutoCloseable {
        Link {
            far.listen(new ConnectionListener() {
                @Override
                public void progressed() {
                    // this test polls
                }

                @Override
                public void failed(String reason) {
                    farFailure.compareAndSet(null, reason);
                }
            });
        }

        @Override
        public void close() {
            try (far;
                    near) {
                // closes both
            }
        }
    }

    @BeforeEach
    void open() {
        TransportProvider provider =
                ServiceLoader.load(TransportProvider.class, TransportProvider.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(found -> found.name().equals("ib"))
                        .findFirst()
                        .orElseThrow();
        Availability availability = provider.probe();
        assumeTrue(availability instanceof Availability.Available, availability::toString);
        Backend host = InstalledBackend.find(Optional.of("host")).open(BackendOptions.threads());
        backend = host;
        BackendDevice near = host.openDevice(0);
        BackendDevice far = host.openDevice(1);
        ends = new Ends(near, far, provider.open(near), provider.open(far));
    }

    @AfterEach
    void close() {
        if (ends != null) {
            ends.sender().close();
            ends.receiver().close();
        }
        if (backend != null) {
            backend.close();
        }
    }

    private Ends ends() {
        Ends opened = ends;
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        return opened;
    }

    /** Waits until everything has taken effect. */
    private static void await(TransportConnection connection, long position) {
        awaitUntil(() -> connection.completed() >= position);
    }

    private static void awaitUntil(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), () -> "nothing happened for " + LIMIT);
            Thread.yield();
        }
    }

    /** Lets a write to memory of the peer fail, and returns the message; another connection goes on. */
    private String refusedWrite(boolean wrongKey, long targetOffset) {
        Ends both = ends();
        try (DeviceBuffer from = both.near().allocate(BYTES);
                DeviceBuffer to = both.far().allocate(BYTES);
                LocalMemory source = both.sender().register(from);
                LocalMemory target = both.receiver().register(to);
                Link broken = both.connect();
                Link other = both.connect()) {
            byte[] description = target.describe();
            byte[] given = description.clone();
            if (wrongKey) {
                given[given.length - 1] ^= 0x55;
            }
            RemoteMemory named = both.sender().importMemory(given);
            long position = broken.near().write(source, 0, named, targetOffset, 64);
            BackendException refused = assertThrows(BackendException.class, () -> await(broken.near(), position));
            assertTrue(broken.near().isPeerLost(), "the peer is lost");
            assertEquals("IBV_WC_REM_ACCESS_ERR", refused.symbol());
            assertThrows(BackendException.class, () -> broken.near().write(source, 0, named, 0, 64));
            RemoteMemory right = both.sender().importMemory(description);
            await(other.near(), other.near().write(source, 0, right, 0, BYTES));
            assertFalse(other.near().isPeerLost(), "the other connection goes on");
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void aWrongKeyEndsOneConnection() {
        String message = refusedWrite(true, 0);
        assertTrue(message.contains("the write of operation 1 failed: status 10"), message);
    }

    @Test
    void aWritePastTheEndEndsOneConnection() {
        String message = refusedWrite(false, BYTES - 8);
        assertTrue(message.contains("the range lies outside it"), message);
    }

    @Test
    void aPeerThatIsGoneIsLostInTime() {
        Ends both = ends();
        try (DeviceBuffer from = both.near().allocate(BYTES);
                DeviceBuffer to = both.far().allocate(BYTES);
                LocalMemory source = both.sender().register(from);
                LocalMemory target = both.receiver().register(to);
                Link link = both.connect()) {
            RemoteMemory named = both.sender().importMemory(target.describe());
            await(link.near(), link.near().write(source, 0, named, 0, BYTES));
            link.far().close();
            long start = System.nanoTime();
            long position = link.near().write(source, 0, named, 0, BYTES);
            BackendException lost = assertThrows(BackendException.class, () -> await(link.near(), position));
            // 4.096 µs · 2¹⁷ for each of seven attempts, and what an adapter may add to it
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), "it takes seconds");
            assertEquals("IBV_WC_RETRY_EXC_ERR", lost.symbol());
            assertTrue(link.near().isPeerLost(), "the peer is lost");
        }
    }

    @Test
    void aNetworkThatIsTakenDownEndsConnections() throws IOException, InterruptedException {
        String device = System.getProperty("mscclj.test.ib.netdev", "");
        assumeTrue(!device.isEmpty(), "mscclj.test.ib.netdev does not name the adapter's network interface");
        try (Link link = ends().connect()) {
            run("ip", "link", "set", device, "down");
            try {
                awaitUntil(() -> link.farFailure().get() != null);
                String reason = String.valueOf(link.farFailure().get());
                assertTrue(reason.contains("the port went down"), reason);
            } finally {
                run("ip", "link", "set", device, "up");
            }
        }
    }

    @Test
    void connectionsLeaveNothingBehind() throws IOException, InterruptedException {
        Ends both = ends();
        try (DeviceBuffer from = both.near().allocate(BYTES);
                DeviceBuffer to = both.far().allocate(BYTES)) {
            cycle(both, from, to); // what is created once
            String before = objects();
            for (int i = 0; i < CONNECTS; i++) {
                cycle(both, from, to);
            }
            assertEquals(before, objects());
        }
    }

    private static void cycle(Ends both, DeviceBuffer from, DeviceBuffer to) {
        try (LocalMemory source = both.sender().register(from);
                LocalMemory target = both.receiver().register(to);
                Link link = both.connect()) {
            RemoteMemory named = both.sender().importMemory(target.describe());
            link.near().write(source, 0, named, 0, 64);
            await(link.near(), link.near().signal(named, 64));
        }
    }

    /** The queue pairs, memory regions and completion queues of the machine, and the descriptors of this process. */
    private static String objects() throws IOException, InterruptedException {
        String resources;
        try {
            resources = run("rdma", "resource", "show");
        } catch (IOException _) {
            resources = "the command rdma is missing";
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return resources + "descriptors " + descriptors.count();
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> Arrays.toString(command) + ": " + output);
        return output;
    }
}
