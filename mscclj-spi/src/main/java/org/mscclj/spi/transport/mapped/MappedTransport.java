package org.mscclj.spi.transport.mapped;

import java.util.function.Supplier;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/**
 * A transport to ranks whose memory the device can map. Descriptions are the device's own memory handles, which carry
 * the identity of the process, so that an address is never mistaken for an address of another process.
 */
public final class MappedTransport implements Transport {
    private final BackendDevice device;
    private final Supplier<TransportConnection> connections;

    /** Memory that exists only to be described: a rank that can map it can be reached. */
    private final DeviceBuffer address;

    /**
     * The transport of a device.
     *
     * @param connections creates a connection, whose sources are {@link OwnMemory} of the device, and whose targets are
     *     {@link PeerMemory}
     */
    public MappedTransport(BackendDevice device, Supplier<TransportConnection> connections) {
        this.device = device;
        this.connections = connections;
        this.address = device.allocate(0);
    }

    @Override
    public byte[] describeAddress() {
        return device.export(address).bytes();
    }

    @Override
    public boolean reaches(byte[] peerAddress) {
        return device.canMap(handle(peerAddress));
    }

    @Override
    public LocalMemory register(DeviceBuffer buffer) {
        return new OwnMemory(device, buffer);
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        return new PeerMemory(device, device.map(handle(description)));
    }

    @Override
    public TransportEndpoint createEndpoint(byte[] peerAddress) {
        return new Endpoint(connections);
    }

    private MemoryHandle handle(byte[] description) {
        return new MemoryHandle(device.backend(), description);
    }

    @Override
    public void close() {
        address.close();
    }

    /** An endpoint that needs no data of the other end: mapped memory has all addresses. */
    private record Endpoint(Supplier<TransportConnection> connections) implements TransportEndpoint {
        @Override
        public byte[] describe() {
            return new byte[0];
        }

        @Override
        public TransportConnection connect(byte[] peerEndpoint) {
            return connections.get();
        }

        @Override
        public void close() {
            // holds no resources
        }
    }
}
