package org.mscclj.gpu.memory;

import static org.mscclj.spi.memory.ProcessIdentity.Namespace.NETWORK;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorServer;
import org.mscclj.gpu.mapping.DeviceBlock;
import org.mscclj.gpu.mapping.IpcHandle;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * A part of a block, or all of it.
 *
 * @param block held until the piece is freed
 * @param offset its start in the block, in bytes
 */
record DevicePiece(DeviceBlock block, long offset) implements Piece, PeerVisible {
    @Override
    public long address() {
        return block.address() + offset;
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.empty();
    }

    @Override
    public void free() {
        block.drop();
    }

    @Override
    public PeerVisible visible(boolean processes) {
        if (block.isVirtual()) {
            return this;
        }
        Optional<IpcHandle> handle = processes ? Optional.of(block.handle()) : Optional.empty();
        return new IpcAllocation(block.context(), block.number(), block.address(), block.bytes(), offset, handle);
    }

    @Override
    public DeviceContext context() {
        return block.context();
    }

    @Override
    public long blockId() {
        return block.id();
    }

    @Override
    public long blockBytes() {
        return block.bytes();
    }

    @Override
    public Optional<Sharing> sharing() {
        return Optional.of(new Sharing.ByDescriptor(ProcessIdentity.reach(NETWORK), DescriptorServer.token()));
    }
}
