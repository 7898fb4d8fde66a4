package org.mscclj.runtime.staging;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * Moves memory of any device over a transport that moves memory of the host. A write is cut into parts. The device
 * copies a part into a slot of pinned memory. The transport writes it to a slot of the peer and signals the peer.
 * There, a thread has the device copy the part into its target, and reports that it was taken. A signal is a part
 * without data.
 *
 * <p>An end of a connection has {@link Slots#COUNT} slots in each direction, which bound what is in flight.
 * {@link Departures} and {@link Arrivals} are the two sides of the protocol.
 */
public final class StagedTransport implements Transport {
    /** What follows the name of the transport that is used. */
    public static final String SUFFIX = "-staged";

    /** Identifies the protocol; the last byte is its version. */
    private static final long MAGIC = 0x4d53_4343_4c4a_5301L;

    private final BackendDevice device;
    private final StagingDevice host;
    private final Transport transport;
    private final StagedMemories memories = new StagedMemories();
    private final HostCopies copies;
    private final ArrivalsThread thread = new ArrivalsThread();
    private final Set<TransportConnection> connections = ConcurrentHashMap.newKeySet();

    private StagedTransport(BackendDevice device, StagingDevice host, Transport transport) {
        this.device = device;
        this.copies = new HostCopies(device);
        this.host = host;
        this.transport = transport;
    }

    /**
     * Opens a transport for a device.
     *
     * @param opens opens the transport for memory of the host, which the given device allocates
     */
    public static StagedTransport open(BackendDevice device, Function<BackendDevice, Transport> opens) {
        StagingDevice host = new StagingDevice(device);
        return new StagedTransport(device, host, opens.apply(host));
    }

    @Override
    public byte[] describeAddress() {
        byte[] address = transport.describeAddress();
        return ByteBuffer.allocate(Long.BYTES + address.length)
                .putLong(MAGIC)
                .put(address)
                .array();
    }

    @Override
    public boolean reaches(byte[] peerAddress) {
        return peerAddress.length >= Long.BYTES
                && ByteBuffer.wrap(peerAddress).getLong() == MAGIC
                && transport.reaches(ofTransport(peerAddress));
    }

    private static byte[] ofTransport(byte[] address) {
        return Arrays.copyOfRange(address, Long.BYTES, address.length);
    }

    @Override
    public LocalMemory register(DeviceBuffer buffer) {
        return memories.register(device, copies, buffer);
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        return StagedTarget.decode(description);
    }

    @Override
    public TransportEndpoint createEndpoint(byte[] peerAddress) {
        return StagedEndpoint.create(host, transport, ofTransport(peerAddress), parts -> {
            StagedConnection connection = new StagedConnection(parts, memories, copies, thread, connections::remove);
            connections.add(connection);
            return connection;
        });
    }

    @Override
    public void close() {
        try {
            Resources.close(List.copyOf(connections));
        } finally {
            thread.close();
            Resources.close(List.<AutoCloseable>of(transport, copies, memories::close)); // in reverse order
        }
    }
}
