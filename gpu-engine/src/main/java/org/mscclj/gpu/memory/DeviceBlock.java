package org.mscclj.gpu.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.gpu.context.DeviceContext;

/** Memory of a GPU, mapped for that GPU. What peers map is always a whole block. Safe for use by several threads. */
final class DeviceBlock {
    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, DeviceBlock> LIVE = new ConcurrentHashMap<>();

    private final long id = LAST_ID.incrementAndGet();
    private final DeviceContext context;
    private final PhysicalMemory memory;
    private final MappedRange range;
    private final boolean ours;
    private int holders = 1;

    private DeviceBlock(PhysicalMemory memory, MappedRange range, boolean ours, DeviceContext context) {
        this.memory = memory;
        this.range = range;
        this.ours = ours;
        this.context = context.share();
    }

    /**
     * A new block, not cleared, which the caller holds.
     *
     * @param bytes a multiple of the granularity
     * @param asked what was asked for, which a refusal names
     * @param shareable whether other processes are to map it
     */
    static DeviceBlock create(DeviceContext context, long bytes, long asked, boolean shareable) {
        return context.within(() -> {
            PhysicalMemory memory = PhysicalMemory.create(context, bytes, asked, shareable);
            try {
                return new DeviceBlock(memory, MappedRange.of(context, memory), true, context).live();
            } catch (RuntimeException | Error e) {
                memory.release();
                throw e;
            }
        });
    }

    /**
     * A block of other software, which the caller holds.
     *
     * @param memory a handle of it, which the block gives up when nobody holds it any more
     * @param address where that software has mapped it, and unmaps it
     */
    static DeviceBlock ofForeign(DeviceContext context, PhysicalMemory memory, long address) {
        return new DeviceBlock(memory, new MappedRange(context.driver(), address, memory.bytes()), false, context)
                .live();
    }

    private DeviceBlock live() {
        LIVE.put(id, this);
        return this;
    }

    /** The block of an id, held once more, if its memory has not been freed. */
    static Optional<DeviceBlock> find(long id) {
        return Optional.ofNullable(LIVE.get(id)).filter(DeviceBlock::tryHold);
    }

    /** Tells blocks of this process apart; never used again. */
    long id() {
        return id;
    }

    /** The GPU that the memory is on. */
    DeviceContext context() {
        return context;
    }

    /** Where that GPU sees it. */
    long address() {
        return range.address();
    }

    /** Its size. */
    long bytes() {
        return range.bytes();
    }

    /** The memory itself, for peers to map. */
    PhysicalMemory memory() {
        return memory;
    }

    /** Holds it once more, unless it has been freed. */
    synchronized boolean tryHold() {
        if (holders > 0) {
            holders++;
            return true;
        }
        return false;
    }

    /** Whoever held it does not any more; the last one frees it. */
    void drop() {
        synchronized (this) {
            if (--holders > 0) {
                return;
            }
        }
        LIVE.remove(id);
        try (context) {
            context.run(this::free);
        }
    }

    private void free() {
        try {
            if (ours) {
                range.unmap();
            }
        } finally {
            memory.release();
        }
    }
}
