package org.mscclj.gpu.mapping;

import org.jspecify.annotations.Nullable;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.PlainMemoryCalls;
import org.mscclj.gpu.driver.VirtualMemoryCalls;

/** Memory of a GPU, mapped for that GPU. Peers always map or open a whole block. Safe for use by several threads. */
public final class DeviceBlock extends Exportable {
    private final DeviceContext context;
    private final BlockMemory memory;
    private @Nullable IpcHandle handle;

    private DeviceBlock(BlockMemory memory, DeviceContext context) {
        this.memory = memory;
        this.context = context.share();
    }

    /** The granularity of a GPU's memory: the sizes of blocks are multiples of it. */
    public static long granularity(DeviceContext context, boolean shareable) {
        return switch (context.driver().deviceMemory()) {
            case VirtualMemoryCalls _ -> context.within(() -> PhysicalMemory.granularity(context, shareable));
            case PlainMemoryCalls calls -> calls.granularity();
        };
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
            BlockMemory memory = switch (context.driver().deviceMemory()) {
                case VirtualMemoryCalls _ -> virtual(context, bytes, asked, shareable);
                case PlainMemoryCalls calls -> PlainBlock.allocate(context, calls, bytes, asked);
            };
            return new DeviceBlock(memory, context).live();
        });
    }

    private static VirtualBlock virtual(DeviceContext context, long bytes, long asked, boolean shareable) {
        PhysicalMemory memory = PhysicalMemory.create(context, bytes, asked, shareable);
        try {
            return new VirtualBlock(memory, MappedRange.of(context, memory), true);
        } catch (RuntimeException | Error e) {
            memory.release();
            throw e;
        }
    }

    /**
     * Creates a block for memory of other software. The caller holds it.
     *
     * @param memory a handle of it, which the block releases when it has no holder any more
     * @param address where that software has mapped it, and unmaps it
     */
    public static DeviceBlock ofForeign(DeviceContext context, PhysicalMemory memory, long address) {
        MappedRange range = new MappedRange(context.driver(), address, memory.bytes());
        return new DeviceBlock(new VirtualBlock(memory, range, false), context).live();
    }

    private DeviceBlock live() {
        export();
        return this;
    }

    /** The GPU that the memory is on. */
    @Override
    public DeviceContext context() {
        return context;
    }

    /** The address of the block on that GPU. */
    public long address() {
        return memory.address();
    }

    /** The size of the block, in bytes. */
    public long bytes() {
        return memory.bytes();
    }

    /** The physical memory, for peers to map. The block {@linkplain #isVirtual is virtual}. */
    public PhysicalMemory memory() {
        return switch (memory) {
            case VirtualBlock virtual -> virtual.physical();
            case PlainBlock _ -> throw new IllegalStateException("the block is opened by its handle");
        };
    }

    @Override
    public int exportDescriptor() {
        return memory().exportDescriptor();
    }

    /** Whether peers map physical memory of the block; else they use its address, or open its handle. */
    public boolean isVirtual() {
        return memory instanceof VirtualBlock;
    }

    /** The driver's number of the memory of a block that is not virtual, among all allocations of the process. */
    public long number() {
        return switch (memory) {
            case VirtualBlock _ -> throw new IllegalStateException("virtual memory has no number");
            case PlainBlock plain -> plain.number();
        };
    }

    /** The handle of a block that is not virtual, for other processes. */
    public synchronized IpcHandle handle() {
        IpcHandle known = handle;
        if (known == null) {
            known = context.within(() -> IpcHandle.of(context, memory.address()));
            handle = known;
        }
        return known;
    }

    @Override
    protected void free() {
        try (context) {
            context.run(memory::free);
        }
    }
}
