package org.mscclj.gpu.memory;

import static org.mscclj.spi.memory.ProcessIdentity.Namespace.NETWORK;

import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.mapping.IpcHandle;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * A part of an allocation on a GPU that GPUs of this process use at the same address: an ordinary allocation of other
 * software, which that software frees, or a block that is not virtual.
 *
 * @param context of the GPU that it is on
 * @param blockId the driver's number of the allocation
 * @param start where the allocation starts
 * @param blockBytes the allocation's size
 * @param offset where the part starts in it
 * @param handle for other processes; empty for memory of one process
 */
record IpcAllocation(
        DeviceContext context, long blockId, long start, long blockBytes, long offset, Optional<IpcHandle> handle)
        implements PeerVisible {
    @Override
    public Optional<Sharing> sharing() {
        return handle.map(given -> new Sharing.ByHandle(ProcessIdentity.reach(NETWORK), given));
    }
}
