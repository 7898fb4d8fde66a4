package org.mscclj.backend.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.nccl.ffm.StandIn;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PlanEngine;

/** The part of a CUDA device that NCCL's communicators use, with host memory. */
final class StandInDevice implements BackendDevice {
    private final String backend;
    final AtomicInteger madeCurrent = new AtomicInteger();

    /** Foreign memory that is in use. */
    final AtomicInteger adopted = new AtomicInteger();

    StandInDevice(String backend) {
        this.backend = backend;
    }

    @Override
    public String backend() {
        return backend;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public String description() {
        return "a stand-in";
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return new Memory(Arena.ofAuto().allocate(Math.max(1, bytes), 64).asSlice(0, bytes), () -> {});
    }

    @Override
    public DeviceBuffer adoptMemory(long address, long bytes) {
        adopted.incrementAndGet();
        return new Memory(StandIn.memory(address, bytes), adopted::decrementAndGet);
    }

    @Override
    public void makeCurrent() {
        madeCurrent.incrementAndGet();
    }

    @Override
    public Stream createStream() {
        return stream(1);
    }

    Stream stream(long handle) {
        return new HandleStream(this, handle);
    }

    private record Memory(MemorySegment segment, Runnable whenClosed) implements DeviceBuffer {
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
            return new Memory(segment.asSlice(offset, bytes), () -> {});
        }

        @Override
        public void copyFrom(MemorySegment source) {
            segment.copyFrom(source);
        }

        @Override
        public void copyTo(MemorySegment destination) {
            destination.copyFrom(segment);
        }

        @Override
        public void close() {
            whenClosed.run();
        }
    }

    private record HandleStream(Device device, long nativeHandle) implements Stream {
        @Override
        public void copy(DeviceBuffer source, DeviceBuffer destination) {
            throw unused();
        }

        @Override
        public void record(Event event) {
            throw unused();
        }

        @Override
        public void await(Event event) {
            throw unused();
        }

        @Override
        public void synchronize(Duration timeout) {}

        @Override
        public void close() {}
    }

    private static UnsupportedException unused() {
        return new UnsupportedException("not of the stand-in");
    }

    @Override
    public Event createEvent() {
        throw unused();
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        throw unused();
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        throw unused();
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return false;
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        throw unused();
    }

    @Override
    public PlanEngine planEngine() {
        throw unused();
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        throw unused();
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        throw unused();
    }

    @Override
    public void release(DeviceBuffer buffer) {
        throw unused();
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        throw unused();
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        throw unused();
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        throw unused();
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        throw unused();
    }

    @Override
    public long readCounter(MappedMemory memory, long offset) {
        throw unused();
    }

    @Override
    public void close() {}
}
