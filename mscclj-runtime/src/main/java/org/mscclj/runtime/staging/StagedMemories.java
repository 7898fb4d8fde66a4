package org.mscclj.runtime.staging;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;

/** The memory of one rank that peers may write, by id. An id is given once. Safe for use by several threads. */
final class StagedMemories {
    private final Map<Long, StagedMemory> open = new ConcurrentHashMap<>();
    private final AtomicLong given = new AtomicLong();

    /** Adds memory. */
    StagedMemory register(BackendDevice device, HostCopies copies, DeviceBuffer buffer) {
        StagedMemory memory = new StagedMemory(this, device, copies, given.incrementAndGet(), buffer);
        open.put(memory.id(), memory);
        return memory;
    }

    void remove(StagedMemory memory) {
        open.remove(memory.id());
    }

    /** Returns the memory of an id; null if its registration has ended, or if there never was one. */
    @Nullable
    StagedMemory find(long id) {
        return open.get(id);
    }

    /** Returns whether an id was given to memory, whose registration may have ended. */
    boolean wasGiven(long id) {
        return id > 0 && id <= given.get();
    }

    /** Closes all memory. */
    void close() {
        Resources.close(List.copyOf(open.values()));
    }
}
