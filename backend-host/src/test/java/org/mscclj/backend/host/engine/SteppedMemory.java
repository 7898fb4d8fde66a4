package org.mscclj.backend.host.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.host.memory.HostMemory;

/**
 * Memory of the CPU backend that is used again and again, because allocating it takes longer than a run of a small
 * plan. For one thread.
 */
final class SteppedMemory implements AutoCloseable {
    private final HostMemory memory = HostMemory.ofProcess(1);
    private final Map<Long, Deque<DeviceBuffer>> free = new HashMap<>();
    private final List<DeviceBuffer> all = new ArrayList<>();

    HostMemory memory() {
        return memory;
    }

    /** Zeroed memory. */
    DeviceBuffer take(long bytes) {
        DeviceBuffer used = free.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).poll();
        if (used == null) {
            DeviceBuffer fresh = memory.allocate(bytes);
            all.add(fresh);
            return fresh;
        }
        used.segment().fill((byte) 0);
        return used;
    }

    void giveBack(List<DeviceBuffer> buffers) {
        buffers.forEach(buffer ->
                free.computeIfAbsent(buffer.byteSize(), _ -> new ArrayDeque<>()).add(buffer));
    }

    @Override
    public void close() {
        all.reversed().forEach(DeviceBuffer::close);
        memory.close();
    }
}
