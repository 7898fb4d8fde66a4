package org.mscclj.api.element;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/** Memory of the host that the garbage collector frees, as a buffer. */
record HeapBuffer(MemorySegment segment) implements DeviceBuffer {
    static HeapBuffer of(long bytes) {
        return new HeapBuffer(Arena.ofAuto().allocate(bytes, Long.BYTES));
    }

    @Override
    public long address() {
        return segment.address();
    }

    @Override
    public long byteSize() {
        return segment.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        return new HeapBuffer(segment.asSlice(offset, bytes));
    }

    @Override
    public void copyFrom(MemorySegment source) {
        requireSize(source);
        segment.copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        requireSize(destination);
        destination.copyFrom(segment);
    }

    private void requireSize(MemorySegment other) {
        if (other.byteSize() != byteSize()) {
            throw InvalidArgumentException.of("size", other.byteSize(), byteSize() + " bytes");
        }
    }

    @Override
    public void close() {}
}
