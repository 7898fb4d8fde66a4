package org.mscclj.runtime.staging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/** One end of a connection that is being set up: the ends of two connections of the transport, and the memory. */
final class StagedEndpoint implements TransportEndpoint {
    private final Transport transport;
    private final StagedEnd end;
    private final TransportEndpoint operations;
    private final TransportEndpoint answers;
    private final Function<Connected, TransportConnection> connects;

    /**
     * Whether a thread connects, or has connected: it frees the memory if that fails, and the connection does later.
     */
    private boolean taken;

    private boolean closed;

    /**
     * What a connection consists of.
     *
     * @param operations carries the operations of this rank
     * @param answers carries what this rank reports about operations of the peer
     * @param end the memory of this end
     * @param peer the memory of the peer's end
     */
    record Connected(TransportConnection operations, TransportConnection answers, StagedEnd end, RemoteMemory peer) {}

    private StagedEndpoint(
            Transport transport,
            StagedEnd end,
            TransportEndpoint operations,
            TransportEndpoint answers,
            Function<Connected, TransportConnection> connects) {
        this.transport = transport;
        this.end = end;
        this.operations = operations;
        this.answers = answers;
        this.connects = connects;
    }

    /**
     * Creates this rank's end.
     *
     * @param peerAddress the peer's address in the transport
     * @param connects makes the connection, which then owns its parts
     */
    static StagedEndpoint create(
            StagingDevice device,
            Transport transport,
            byte[] peerAddress,
            Function<Connected, TransportConnection> connects) {
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            StagedEnd end = StagedEnd.allocate(device, transport);
            opened.add(end);
            TransportEndpoint operations = transport.createEndpoint(peerAddress);
            opened.add(operations);
            return new StagedEndpoint(transport, end, operations, transport.createEndpoint(peerAddress), connects);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(opened, e);
            throw e;
        }
    }

    @Override
    public byte[] describe() {
        return Wire.encode(out -> {
            Wire.writeBytes(out, operations.describe());
            Wire.writeBytes(out, answers.describe());
            Wire.writeBytes(out, end.memory().describe());
        });
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint) {
        return connect(peerEndpoint, TransportEndpoint::connect);
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint, Duration limit) {
        long began = System.nanoTime();
        return connect(peerEndpoint, (endpoint, there) -> {
            long left = limit.toNanos() - (System.nanoTime() - began);
            return endpoint.connect(there, Duration.ofNanos(Math.max(1, left)));
        });
    }

    private TransportConnection connect(
            byte[] peerEndpoint, BiFunction<TransportEndpoint, byte[], TransportConnection> connecting) {
        List<byte[]> there =
                Wire.decode(peerEndpoint, in -> List.of(Wire.readBytes(in), Wire.readBytes(in), Wire.readBytes(in)));
        synchronized (this) {
            requireOpen();
            taken = true;
        }
        List<AutoCloseable> opened = new ArrayList<>(List.of(end));
        try {
            TransportConnection first = connecting.apply(operations, there.get(0));
            opened.add(first);
            TransportConnection second = connecting.apply(answers, there.get(1));
            opened.add(second);
            RemoteMemory peer = transport.importMemory(there.get(2));
            opened.add(peer);
            synchronized (this) {
                requireOpen();
            }
            return connects.apply(new Connected(first, second, end, peer));
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(opened, e);
            throw e;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("the endpoint is closed; create another one");
        }
    }

    @Override
    public void close() {
        List<AutoCloseable> parts = new ArrayList<>();
        synchronized (this) {
            if (!taken && !closed) {
                parts.add(end);
            }
            closed = true;
        }
        parts.add(operations);
        parts.add(answers);
        Resources.close(parts);
    }
}
