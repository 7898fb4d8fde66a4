package org.mscclj.gpu.mapping;

import org.mscclj.gpu.context.DeviceContext;

/** Memory of a peer at addresses of this process. Calls are made in the context of the GPU that it is mapped for. */
public sealed interface PeerRange permits MappedRange, OpenedHandle {
    /** The first address. */
    long address();

    /**
     * Runs a task that unmaps the memory, at a moment when the driver does not wait for kernels.
     *
     * @param context of the GPU that the memory is mapped for
     */
    void whenUnmappable(DeviceContext context, Runnable task);

    /** Unmaps the memory. Called once. */
    void unmap();
}
