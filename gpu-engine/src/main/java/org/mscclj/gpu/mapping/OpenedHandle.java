package org.mscclj.gpu.mapping;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.occupancy.DeviceQuiescence;

/**
 * An allocation of another process, opened by its {@link IpcHandle}.
 *
 * @param context of the GPU that accesses it
 * @param address its start in this process
 */
public record OpenedHandle(DeviceContext context, long address) implements PeerRange {
    @Override
    public void whenUnmappable(DeviceContext kept, Runnable task) {
        DeviceQuiescence.of(kept).soon(task);
    }

    @Override
    public void unmap() {
        context.driver().checkFreed(context.driver().memory().closeHandle(address), "closing an IPC handle");
    }
}
