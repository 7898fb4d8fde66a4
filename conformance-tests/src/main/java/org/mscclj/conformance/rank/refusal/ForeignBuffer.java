package org.mscclj.conformance.rank.refusal;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Memory that no backend knows, though it says that it lies where other memory does.
 *
 * @param like what it looks like
 */
record ForeignBuffer(DeviceBuffer like) implements DeviceBuffer {
    @Override
    public long address() {
        return like.address();
    }

    @Override
    public long byteSize() {
        return like.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        return new ForeignBuffer(like.slice(offset, bytes));
    }

    @Override
    public MemorySegment segment() {
        return like.segment();
    }

    @Override
    public void copyFrom(MemorySegment source) {
        like.copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        like.copyTo(destination);
    }

    @Override
    public void close() {
        // belongs to whoever owns what it looks like
    }
}
