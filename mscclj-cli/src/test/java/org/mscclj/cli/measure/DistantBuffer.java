package org.mscclj.cli.measure;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/**
 * A buffer that the host cannot access, as those of GPUs.
 *
 * @param near where the data is
 */
record DistantBuffer(DeviceBuffer near) implements DeviceBuffer {
    @Override
    public long address() {
        return near.address();
    }

    @Override
    public long byteSize() {
        return near.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        return new DistantBuffer(near.slice(offset, bytes));
    }

    @Override
    public MemorySegment segment() {
        throw new UnsupportedException("the host cannot access it");
    }

    @Override
    public void copyFrom(MemorySegment source) {
        near.copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        near.copyTo(destination);
    }

    @Override
    public void close() {
        near.close();
    }
}
