package org.mscclj.runtime.proxy;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.proxy.TriggerFifo;

/**
 * A ring of triggers and its memory.
 *
 * @param fifo the ring
 * @param memory memory that is freed with it
 */
record TriggerRing(TriggerFifo fifo, List<DeviceBuffer> memory) implements AutoCloseable {
    /** Opens a ring into which either threads or the device push. */
    static TriggerRing open(ProxyAgentSpec spec, Runnable wake) {
        BackendDevice device = spec.device();
        int capacity = spec.capacity();
        if (!spec.pushedByDevice()) {
            DeviceBuffer slots = device.allocateHost((long) capacity * TriggerFifo.SLOT_BYTES);
            return new TriggerRing(new TriggerFifo(slots.segment(), wake), List.of(slots));
        }
        DeviceBuffer shared = device.allocateHost(TriggerFifo.deviceBytes(capacity));
        try {
            DeviceBuffer head = device.allocate(Long.BYTES);
            return new TriggerRing(
                    TriggerFifo.ofDevice(shared.segment(), capacity, head.address(), wake), List.of(shared, head));
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    @Override
    public void close() {
        memory.forEach(DeviceBuffer::close);
    }
}
