package org.mscclj.transport.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PlanEngine;

/** The part of a device that a transport needs, with memory that the host can or cannot access. */
public final class FakeDevice implements BackendDevice {
    private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

    private final boolean hostAccess;

    /** The number of present registrations. */
    final AtomicInteger retained = new AtomicInteger();

    final AtomicInteger woken = new AtomicInteger();

    FakeDevice(boolean hostAccess) {
        this.hostAccess = hostAccess;
    }

    public FakeDevice() {
        this(true);
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        Arena arena = Arena.ofShared();
        return new FakeBuffer(arena, arena.allocate(Math.max(bytes, 1), 64).asSlice(0, bytes), hostAccess);
    }

    private record FakeBuffer(Arena arena, MemorySegment memory, boolean hostAccess) implements DeviceBuffer {
        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long byteSize() {
            return memory.byteSize();
        }

        @Override
        public DeviceBuffer slice(long offset, long bytes) {
            return new FakeBuffer(arena, memory.asSlice(offset, bytes), hostAccess);
        }

        @Override
        public MemorySegment segment() {
            if (!hostAccess) {
                throw new UnsupportedException("the host cannot access it");
            }
            return memory;
        }

        @Override
        public void copyFrom(MemorySegment source) {
            memory.copyFrom(source);
        }

        @Override
        public void copyTo(MemorySegment destination) {
            destination.copyFrom(memory);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        retained.incrementAndGet();
    }

    @Override
    public void release(DeviceBuffer buffer) {
        retained.decrementAndGet();
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        throw notNeeded();
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        throw notNeeded();
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        long _ = (long) COUNTER.getAndAdd(buffer.segment(), offset, 1L);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return (long) COUNTER.getAcquire(buffer.segment(), offset);
    }

    @Override
    public void wake() {
        woken.incrementAndGet();
    }

    @Override
    public String backend() {
        return "fake";
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return allocate(bytes);
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return false;
    }

    @Override
    public Stream createStream() {
        throw notNeeded();
    }

    @Override
    public Event createEvent() {
        throw notNeeded();
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        throw notNeeded();
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        throw notNeeded();
    }

    @Override
    public PlanEngine planEngine() {
        throw notNeeded();
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        throw notNeeded();
    }

    @Override
    public long readCounter(MappedMemory memory, long offset) {
        throw notNeeded();
    }

    private static UnsupportedException notNeeded() {
        return new UnsupportedException("no transport needs this");
    }

    @Override
    public void close() {}
}
