package org.mscclj.gpu.memory;

import java.util.UUID;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.mapping.DeviceBlock;
import org.mscclj.gpu.mapping.IpcHandle;
import org.mscclj.gpu.mapping.MappedRange;
import org.mscclj.gpu.mapping.PeerBlocks;
import org.mscclj.gpu.mapping.PhysicalMemory;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.memory.MemoryMapping;
import org.mscclj.spi.memory.ProcessIdentity;

/** Maps the memory of peers, in this process and in others. Safe for use by several threads. */
final class PeerMappings {
    /** Legacy handles of peers. A process opens each once for each GPU, for all backends. */
    private static final PeerBlocks OPENED = new PeerBlocks();

    private final boolean processes;
    private final PeerBlocks blocks = new PeerBlocks();

    PeerMappings(boolean processes) {
        this.processes = processes;
    }

    /** Maps memory for a GPU. */
    MappedMemory map(DeviceContext context, GpuMemoryDescription described) {
        return described.process() == ProcessIdentity.process()
                ? mapOwn(context, described)
                : mapOther(context, described);
    }

    private MappedMemory mapOwn(DeviceContext context, GpuMemoryDescription described) {
        GpuAllocation allocation = GpuAllocation.find(described.allocation())
                .orElseThrow(() -> new InvalidArgumentException(
                        "memory that a peer described was freed; it must stay open until it is mapped"));
        allocation.use().map();
        try {
            return switch (allocation.piece().visible(processes)) {
                case DevicePiece piece -> mapOwn(context, described, allocation, piece.block());
                case IpcAllocation legacy -> mapOwn(context, described, allocation, legacy);
            };
        } catch (RuntimeException | Error e) {
            allocation.use().unmap();
            throw e;
        }
    }

    private MappedMemory mapOwn(
            DeviceContext context, GpuMemoryDescription described, GpuAllocation allocation, DeviceBlock block) {
        if (block.context().ordinal() == context.ordinal()) {
            return new MemoryMapping(block.address() + described.offset(), described.bytes(), allocation.use()::unmap);
        }
        PeerBlocks.Key key = new PeerBlocks.Key(described.process(), block.id(), context.gpu());
        long address = blocks.map(context, key, () -> MappedRange.of(context, block.memory()));
        return new MemoryMapping(address + described.offset(), described.bytes(), () -> {
            try {
                blocks.unmap(key);
            } finally {
                allocation.use().unmap();
            }
        });
    }

    private static MappedMemory mapOwn(
            DeviceContext context, GpuMemoryDescription described, GpuAllocation allocation, IpcAllocation legacy) {
        if (legacy.context().ordinal() != context.ordinal()) {
            context.letAccess(legacy.context());
        }
        return new MemoryMapping(legacy.start() + described.offset(), described.bytes(), allocation.use()::unmap);
    }

    private MappedMemory mapOther(DeviceContext context, GpuMemoryDescription described) {
        PeerBlocks.Key key = new PeerBlocks.Key(described.process(), described.block(), context.gpu());
        return switch (described.sharing().orElseThrow()) {
            case Sharing.ByDescriptor(UUID _, UUID token) ->
                mapped(described, blocks, key, blocks.map(context, key, () -> imported(context, described, token)));
            case Sharing.ByHandle(UUID _, IpcHandle handle) ->
                mapped(described, OPENED, key, OPENED.map(context, key, () -> handle.open(context)));
        };
    }

    private static MappedRange imported(DeviceContext context, GpuMemoryDescription described, UUID token) {
        PhysicalMemory block = DescriptorClient.fetch(
                context.driver(),
                new DescriptorClient.Exported(described.process(), described.block(), described.blockBytes(), token));
        try {
            return MappedRange.of(context, block);
        } finally {
            block.release(); // the mapping keeps the memory
        }
    }

    private static MappedMemory mapped(
            GpuMemoryDescription described, PeerBlocks from, PeerBlocks.Key key, long start) {
        return new MemoryMapping(start + described.offset(), described.bytes(), () -> from.unmap(key));
    }
}
