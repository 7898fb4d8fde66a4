package org.example.transport.queue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/** One rank's transport, and every end of a connection. */
record QueueTransport(BackendDevice device) implements Transport, TransportEndpoint {
    @Override
    public byte[] describeAddress() {
        return ByteBuffer.allocate(Long.BYTES).putLong(ProcessHandle.current().pid()).array();
    }

    @Override
    public boolean reaches(byte[] peerAddress) {
        return Arrays.equals(peerAddress, describeAddress());
    }

    @Override
    public LocalMemory register(DeviceBuffer buffer) {
        device.retain(buffer); // it cannot be freed until it is released
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(QueueMemory.LAST_ID.incrementAndGet()).array();
        QueueMemory memory = new QueueMemory(id, device, buffer, buffer.byteSize(), true);
        QueueMemory.REGISTERED.put(ByteBuffer.wrap(id), memory);
        return memory;
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        QueueMemory memory = QueueMemory.REGISTERED.get(ByteBuffer.wrap(description));
        if (memory == null) {
            throw InvalidArgumentException.of("memory", Arrays.toString(description), "memory registered in"
                    + " this process");
        }
        return new QueueMemory(description, memory.device(), memory.buffer(), memory.byteSize(), false);
    }

    @Override
    public TransportEndpoint createEndpoint(byte[] peerAddress) {
        return this; // an end has nothing of its own
    }

    @Override
    public byte[] describe() {
        return new byte[0];
    }

    @Override
    public TransportConnection connect(byte[] peerEndpoint) {
        return new QueueConnection();
    }

    @Override
    public void close() {}
}
