package org.mscclj.runtime.staging;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.Transport;

/**
 * The memory of one end of a connection.
 *
 * @param buffer pinned memory of the host, which the device accesses
 * @param memory its registration with the transport
 * @param slots what lies in it
 */
record StagedEnd(DeviceBuffer buffer, LocalMemory memory, Slots slots) implements AutoCloseable {
    /** Allocates the memory and registers it. */
    static StagedEnd allocate(StagingDevice device, Transport transport) {
        DeviceBuffer buffer = device.allocate(Slots.TOTAL);
        try {
            return new StagedEnd(buffer, transport.register(buffer), new Slots(buffer.segment()));
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(buffer), e);
            throw e;
        }
    }

    @Override
    public void close() {
        Resources.close(List.of(buffer, memory)); // in reverse order
    }
}
