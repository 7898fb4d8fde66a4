package org.mscclj.backend.cuda.transport;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportEndpoint;

/** Reaches whoever's memory the GPU can map. Descriptions are the device's own memory handles. */
final class CudaTransport implements Transport {
    private final CopyingDevice device;

    /** Memory that exists only to be described: who can map it can be reached. */
    private final DeviceBuffer address;

    CudaTransport(CopyingDevice device) {
        this.device = device;
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
        return new CudaLocalMemory(device, buffer);
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        return new CudaRemoteMemory(device.map(handle(description)));
    }

    @Override
    public TransportEndpoint createEndpoint(byte[] peerAddress) {
        return new CudaEndpoint(device);
    }

    private MemoryHandle handle(byte[] description) {
        return new MemoryHandle(device.backend(), description);
    }

    @Override
    public void close() {
        address.close();
    }
}
