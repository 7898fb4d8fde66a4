package org.mscclj.conformance.rank.refusal;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Memory that no backend knows, although it reports the location of other memory.
 *
 * @param like the memory whose location it reports
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
        // belongs to the owner of the other memory
    }
}
