package org.mscclj.backend.cuda.memory;

import org.mscclj.backend.cuda.context.DeviceContext;

/**
 * An allocation of another process, opened by its {@link LegacyHandle}.
 *
 * @param context of the GPU that accesses it
 * @param address where it starts here
 */
record OpenedHandle(DeviceContext context, long address) implements PeerRange {
    @Override
    public void unmap() {
        context.driver().checkFreed(context.driver().memory().closeHandle(address), "cuIpcCloseMemHandle");
    }
}
