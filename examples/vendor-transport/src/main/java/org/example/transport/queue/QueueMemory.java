package org.example.transport.queue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** A registered buffer, seen by its owner or by a peer. All ranks of the process find it by its id, which is its description. */
record QueueMemory(long id, BackendDevice device, DeviceBuffer buffer, boolean own) implements LocalMemory, RemoteMemory {
    private static final Map<Long, QueueMemory> REGISTERED = new ConcurrentHashMap<>();
    private static final AtomicLong LAST_ID = new AtomicLong();

    static QueueMemory register(BackendDevice device, DeviceBuffer buffer) {
        device.retain(buffer); // it cannot be freed until it is released
        QueueMemory memory = new QueueMemory(LAST_ID.incrementAndGet(), device, buffer, true);
        REGISTERED.put(memory.id, memory);
        return memory;
    }

    static QueueMemory find(byte[] description) {
        QueueMemory memory = REGISTERED.get(ByteBuffer.wrap(description).getLong());
        return new QueueMemory(memory.id, memory.device, memory.buffer, false);
    }

    @Override
    public long byteSize() {
        return buffer.byteSize();
    }

    @Override
    public byte[] describe() {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    @Override
    public void close() {
        if (own && REGISTERED.remove(id) != null) {
            device.release(buffer);
        }
    }
}
