package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.engine.ContextLayout;

/** Scratch and counters of a context on this rank. */
final class ContextMemory implements AutoCloseable {
    private final BackendDevice device;
    private final ContextLayout layout;
    private final List<DeviceBuffer> buffers = new ArrayList<>();

    ContextMemory(BackendDevice device, ContextLayout layout) {
        this.device = device;
        this.layout = layout;
    }

    /**
     * Allocates scratch and counters and returns their description for peers.
     *
     * @param needs properties that the scratch must have
     */
    ContextDescription allocate(long slotBytes, MemoryNeeds needs) {
        buffers.add(device.allocate(layout.scratchBytes(), needs));
        buffers.add(device.allocate(layout.counterBytes()));
        return new ContextDescription(slotBytes, device.export(scratch()), device.export(counters()));
    }

    DeviceBuffer scratch() {
        return buffers.getFirst();
    }

    DeviceBuffer counters() {
        return buffers.getLast();
    }

    @Override
    public void close() {
        Resources.close(buffers);
    }
}
