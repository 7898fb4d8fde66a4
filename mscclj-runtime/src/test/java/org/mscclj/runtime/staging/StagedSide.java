package org.mscclj.runtime.staging;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.spi.transport.TransportProvider;

/**
 * One of two ranks that a test connects by way of pinned memory over TCP: memory whose first word is a counter, and a
 * connection.
 */
final class StagedSide implements AutoCloseable {
    final Backend backend = HostRank.openBackend();
    final BackendDevice device = backend.openDevice(0);
    final StagedTransport transport;
    final DeviceBuffer buffer;
    final LocalMemory memory;
    final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    final AtomicLong signals = new AtomicLong();
    TransportConnection connection;
    RemoteMemory peer;

    private StagedSide(long bytes, UnaryOperator<Transport> changes) {
        transport = StagedTransport.open(device, host -> changes.apply(tcp().open(host)));
        buffer = device.allocate(bytes);
        memory = transport.register(buffer);
    }

    private static TransportProvider tcp() {
        return ProviderCatalog.installed("transport", TransportProvider.class).available().stream()
                .filter(provider -> provider.name().equals("tcp"))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns two sides that are connected.
     *
     * @param changes makes the transport that is used of one by TCP
     */
    static List<StagedSide> pair(long bytes, UnaryOperator<Transport> changes) {
        StagedSide left = new StagedSide(bytes, changes);
        StagedSide right = new StagedSide(bytes, changes);
        try (TransportEndpoint leftEnd = left.transport.createEndpoint(right.transport.describeAddress());
                TransportEndpoint rightEnd = right.transport.createEndpoint(left.transport.describeAddress())) {
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> left.connect(leftEnd, rightEnd.describe(), right));
            right.connect(rightEnd, leftEnd.describe(), left);
            other.join();
        }
        return List.of(left, right);
    }

    private void connect(TransportEndpoint own, byte[] other, StagedSide owner) {
        connection = own.connect(other);
        peer = transport.importMemory(owner.memory.describe());
        connection.listen(new ConnectionListener() {
            @Override
            public void progressed() {}

            @Override
            public void signalled() {
                signals.incrementAndGet();
            }

            @Override
            public void failed(String reason) {
                failures.add(reason);
            }
        });
    }

    long counter() {
        return device.readCounter(buffer, 0);
    }

    void awaitCounter(long value) {
        while (counter() < value) {
            requireNoFailure();
            Thread.yield();
        }
    }

    void awaitCompleted(long position) {
        while (connection.completed() < position) {
            requireNoFailure();
            Thread.yield();
        }
    }

    private void requireNoFailure() {
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.toString());
        }
    }

    @Override
    public void close() {
        Resources.close(List.of(backend, device, buffer, transport, memory, connection)); // in reverse order
    }
}
