package org.mscclj.gpu.mapping;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.gpu.context.DeviceContext;

/** Memory of a GPU, mapped for that GPU. Peers always map a whole block. Safe for use by several threads. */
public final class DeviceBlock {
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
     * Creates a block with undefined content, which the caller holds.
     *
     * @param bytes a multiple of the granularity
     * @param asked the size that the caller requested, for messages of a refusal
     * @param shareable whether other processes are to map it
     */
    public static DeviceBlock create(DeviceContext context, long bytes, long asked, boolean shareable) {
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
     * Creates a block for memory of other software. The caller holds it.
     *
     * @param memory a handle of it, which the block releases when it has no holder any more
     * @param address where that software has mapped it, and unmaps it
     */
    public static DeviceBlock ofForeign(DeviceContext context, PhysicalMemory memory, long address) {
        return new DeviceBlock(memory, new MappedRange(context.driver(), address, memory.bytes()), false, context)
                .live();
    }

    private DeviceBlock live() {
        LIVE.put(id, this);
        return this;
    }

    /** The block with an id, held once more, if its memory has not been freed. */
    public static Optional<DeviceBlock> find(long id) {
        return Optional.ofNullable(LIVE.get(id)).filter(DeviceBlock::tryHold);
    }

    /** The id of the block, unique in this process; never reused. */
    public long id() {
        return id;
    }

    /** The GPU that the memory is on. */
    public DeviceContext context() {
        return context;
    }

    /** The address of the block on that GPU. */
    public long address() {
        return range.address();
    }

    /** The size of the block, in bytes. */
    public long bytes() {
        return range.bytes();
    }

    /** The physical memory, for peers to map. */
    public PhysicalMemory memory() {
        return memory;
    }

    /** Adds a holder, unless the block has been freed. */
    public synchronized boolean tryHold() {
        if (holders > 0) {
            holders++;
            return true;
        }
        return false;
    }

    /** Removes a holder; the last one frees the block. */
    public void drop() {
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
