package org.mscclj.support.device;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.memory.MemoryMapping;
import org.mscclj.spi.memory.MemoryUse;

/**
 * Memory of a device of this process, which is freed after its last use. It has a number, by which peers in the same
 * process find it. Safe for use by several threads.
 */
public final class Allocation {
    private static final Map<Long, Allocation> ALL = new ConcurrentHashMap<>();
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    private final long number = LAST_NUMBER.incrementAndGet();
    private final MemorySegment segment;
    private final String name;
    private final MemoryUse use;

    private Allocation(MemorySegment segment, String name, Runnable free) {
        this.segment = segment;
        this.name = name;
        this.use = new MemoryUse(() -> {
            ALL.remove(number);
            free.run();
        });
    }

    /**
     * Memory without uses.
     *
     * @param segment the memory; the address of the segment is that of the device
     * @param name the name by which other processes find the memory, for example that of a file; empty if they cannot
     * @param free frees it; called once
     */
    public static Allocation of(MemorySegment segment, String name, Runnable free) {
        Allocation allocation = new Allocation(segment, name, free);
        ALL.put(allocation.number, allocation);
        return allocation;
    }

    /**
     * Maps a range of an allocation of this process.
     *
     * @throws InvalidArgumentException if it is freed
     */
    public static MappedMemory map(long number, long offset, long bytes) {
        Allocation allocation = Optional.ofNullable(ALL.get(number))
                .orElseThrow(() -> new InvalidArgumentException(
                        "memory that a peer described is closed; it must stay open until it is mapped"));
        allocation.use.map();
        return new MemoryMapping(allocation.segment.address() + offset, bytes, allocation.use::unmap);
    }

    /** The number of the allocation in this process, from 1. */
    public long number() {
        return number;
    }

    /** The memory. */
    public MemorySegment segment() {
        return segment;
    }

    /** The name by which other processes find the memory. */
    public String name() {
        return name;
    }

    /** The users of the memory. */
    public MemoryUse use() {
        return use;
    }
}
