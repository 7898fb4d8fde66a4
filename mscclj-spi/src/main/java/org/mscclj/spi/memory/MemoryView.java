package org.mscclj.spi.memory;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.MappedView;

/** A peer's memory as a buffer whose users are tracked. Safe for use by several threads. */
public final class MemoryView implements MappedView {
    private final DeviceBuffer buffer;
    private final MemoryUse use;

    /**
     * A view.
     *
     * @param whole a buffer over the memory
     * @param use the users of that buffer; unmaps the memory after the last use
     */
    public MemoryView(DeviceBuffer whole, MemoryUse use) {
        this.buffer = whole.slice(0, whole.byteSize()); // a part, which its holders cannot close
        this.use = use;
    }

    @Override
    public DeviceBuffer buffer() {
        return buffer;
    }

    @Override
    public boolean isUsed() {
        return use.isUsed();
    }

    @Override
    public void close() {
        use.abandon();
    }
}
