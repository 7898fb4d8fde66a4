package org.mscclj.gpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.DeviceHandle;

/** A structure in memory of the GPU, for user kernels. */
public final class DeviceStructure implements DeviceHandle {
    /** Writes the initial content of the structure. */
    @FunctionalInterface
    public interface Content {
        /**
         * Writes the content.
         *
         * @param memory zeroed
         * @param address where it will lie on the GPU
         */
        void write(MemorySegment memory, long address);
    }

    private final DeviceBuffer memory;
    private final Runnable afterwards;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DeviceStructure(DeviceBuffer memory, Runnable afterwards) {
        this.memory = memory;
        this.afterwards = afterwards;
    }

    /**
     * Creates a structure.
     *
     * @param afterwards run once, after the structure was closed or could not be created
     */
    public static DeviceStructure create(BackendDevice device, int bytes, Content content, Runnable afterwards) {
        try {
            DeviceBuffer memory = device.allocate(bytes);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment image = arena.allocate(bytes, Long.BYTES);
                content.write(image, memory.address());
                memory.copyFrom(image);
            } catch (RuntimeException | Error e) {
                memory.close();
                throw e;
            }
            return new DeviceStructure(memory, afterwards);
        } catch (RuntimeException | Error e) {
            afterwards.run();
            throw e;
        }
    }

    @Override
    public long address() {
        return memory.address();
    }

    /** Whether the structure is freed. */
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                memory.close();
            } finally {
                afterwards.run();
            }
        }
    }
}
