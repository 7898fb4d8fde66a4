package org.mscclj.gpu.engine;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/** Device memory for a table. */
final class TablePlace implements AutoCloseable {
    private final DeviceBuffer memory;
    private final Runnable release;
    private boolean closed;

    /**
     * Creates a place.
     *
     * @param release releases the memory
     */
    TablePlace(DeviceBuffer memory, Runnable release) {
        this.memory = memory;
        this.release = release;
    }

    /** Allocates memory for one table. */
    static TablePlace alone(BackendDevice device, long bytes) {
        DeviceBuffer memory = device.allocate(bytes);
        return new TablePlace(memory, memory::close);
    }

    DeviceBuffer memory() {
        return memory;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release.run();
        }
    }
}
