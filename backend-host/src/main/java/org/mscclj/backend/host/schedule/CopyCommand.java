package org.mscclj.backend.host.schedule;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/** Copies between two buffers, which cannot be freed until then. */
final class CopyCommand implements Command {
    private final BackendDevice device;
    private final DeviceBuffer source;
    private final DeviceBuffer destination;
    private final MemorySegment from;
    private final MemorySegment to;

    /** Keeps the buffers until the copy is over, or {@link #release}. */
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

    /** Gives the buffers back. */
    void release() {
        device.release(source);
        device.release(destination);
    }
}
