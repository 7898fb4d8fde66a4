package org.mscclj.transport.tcp;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** One of two ranks that a test connects: a transport, memory with a counter in its first word, and a connection. */
final class Side implements AutoCloseable {
    final FakeDevice device = new FakeDevice();
    final TcpTransport transport;
    final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    final DeviceBuffer buffer;
    final LocalMemory memory;

    TransportConnection connection = new Unconnected();
    RemoteMemory peerMemory = new TcpRemoteMemory(0, 0, 0);

    Side(TcpSettings settings, long bytes) {
        transport = new TcpTransport(device, settings);
        buffer = device.allocate(bytes);
        memory = transport.register(buffer);
    }

    /** Two sides, connected. */
    static List<Side> pair(TcpSettings settings, long bytes) {
        return pair(settings, settings, bytes);
    }

    /** Two sides, connected; with different settings, as if in different processes. */
    static List<Side> pair(TcpSettings ofLeft, TcpSettings ofRight, long bytes) {
        Side left = new Side(ofLeft, bytes);
        Side right = new Side(ofRight, bytes);
        TransportEndpoint leftEnd = left.transport.createEndpoint(right.transport.describeAddress());
        TransportEndpoint rightEnd = right.transport.createEndpoint(left.transport.describeAddress());
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> left.connect(leftEnd, rightEnd.describe()));
        right.connect(rightEnd, leftEnd.describe());
        other.join();
        left.peerMemory = left.transport.importMemory(right.memory.describe());
        right.peerMemory = right.transport.importMemory(left.memory.describe());
        return List.of(left, right);
    }

    void connect(TransportEndpoint own, byte[] peer) {
        connection = own.connect(peer);
        connection.listen(new ConnectionListener() {
            @Override
            public void progressed() {}

            @Override
            public void failed(String reason) {
                failures.add(reason);
            }
        });
        own.close();
    }

    long counter() {
        return device.readCounter(buffer, 0);
    }

    void awaitCounter(long value) {
        while (counter() < value) {
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    void awaitCompleted(long position) {
        while (connection.completed() < position) {
            Thread.yield();
        }
    }

    /** Why the connection failed; waits for that. */
    String awaitFailure() throws InterruptedException {
        String reason = failures.poll(20, TimeUnit.SECONDS);
        Assertions.assertNotNull(reason, "the connection did not fail");
        return reason;
    }

    /** Holds up a thread, the loop's for example. */
    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        connection.close();
        memory.close();
        transport.close();
        buffer.close();
    }

    private static final class Unconnected implements TransportConnection {
        @Override
        public long write(LocalMemory source, long from, RemoteMemory target, long to, long bytes) {
            throw new IllegalStateException();
        }

        @Override
        public long signal(RemoteMemory target, long targetOffset) {
            throw new IllegalStateException();
        }

        @Override
        public long completed() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
