package org.example.transport.queue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** A registered buffer, seen by its owner or by a peer. All ranks of the process find it by its description. */
record QueueMemory(byte[] describe, BackendDevice device, DeviceBuffer buffer, long byteSize, boolean own)
        implements LocalMemory, RemoteMemory {
    static final Map<ByteBuffer, QueueMemory> REGISTERED = new ConcurrentHashMap<>();
    static final AtomicLong LAST_ID = new AtomicLong();

    @Override
    public void close() {
        if (own && REGISTERED.remove(ByteBuffer.wrap(describe)) != null) {
            device.release(buffer);
        }
    }
}
