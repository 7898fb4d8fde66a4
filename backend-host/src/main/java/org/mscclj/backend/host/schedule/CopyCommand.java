package org.mscclj.backend.host.schedule;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/** A copy between two buffers, which cannot be freed until it has ended. */
final class CopyCommand implements Command {
    private final BackendDevice device;
    private final DeviceBuffer source;
    private final DeviceBuffer destination;
    private final MemorySegment from;
    private final MemorySegment to;

    /** Retains the buffers until the copy has ended, or until {@link #release}. */
    CopyCommand(BackendDevice device, DeviceBuffer source, DeviceBuffer destination) {
        this.device = device;
        this.source = source;
        this.destination = destination;
        this.from = source.segment();
        this.to = destination.segment();
        device.retain(source);
        try {
            device.retain(destination);
        } catch (RuntimeException e) {
            device.release(source);
            throw e;
        }
    }

    @Override
    public boolean control(long ticket) {
        to.copyFrom(from);
        release();
        return true;
    }

    /** Releases the buffers. */
    void release() {
        device.release(source);
        device.release(destination);
    }
}
