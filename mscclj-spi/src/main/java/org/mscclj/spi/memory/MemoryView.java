package org.mscclj.spi.memory;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.MappedView;

/** A peer's memory as a buffer whose users are known. Safe for use by several threads. */
public final class MemoryView implements MappedView {
    private final DeviceBuffer buffer;
    private final MemoryUse use;

    /**
     * A view.
     *
     * @param whole a buffer over the memory
     * @param use who uses that buffer; unmaps the memory when it is freed
     */
    public MemoryView(DeviceBuffer whole, MemoryUse use) {
        this.buffer = whole.slice(0, whole.byteSize()); // a part, which nobody who has it can close
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
