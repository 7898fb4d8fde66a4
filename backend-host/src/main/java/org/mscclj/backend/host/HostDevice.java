package org.mscclj.backend.host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.channel.HostMemoryChannel;
import org.mscclj.backend.host.engine.HostPlanEngine;
import org.mscclj.backend.host.ffm.NativeMemory;
import org.mscclj.backend.host.schedule.HostEvent;
import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.backend.host.schedule.HostStream;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PlanEngine;

/** A rank's share of the host. */
final class HostDevice implements BackendDevice {
    private static final String BACKEND = "host";
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int index;
    private final HostScheduler scheduler;
    private final PlanEngine engine;

    HostDevice(int index, HostScheduler scheduler) {
        this.index = index;
        this.scheduler = scheduler;
        this.engine = new HostPlanEngine(scheduler);
    }

    @Override
    public String backend() {
        return BACKEND;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public String description() {
        return "CPU, " + scheduler.seats() + " threads at work at once";
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return HostBuffer.allocate(bytes);
    }

    @Override
    public DeviceBuffer allocateShared(long bytes) {
        return allocate(bytes);
    }

    @Override
    public Stream createStream() {
        return new HostStream(this, scheduler);
    }

    @Override
    public Event createEvent() {
        return new HostEvent();
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        HostAllocation allocation = own(buffer).allocation();
        MemorySegment bytes = MemorySegment.ofArray(new byte[4 * Long.BYTES]);
        bytes.set(WORD, 0, HostProcess.id());
        bytes.set(WORD, Long.BYTES, allocation.id());
        bytes.set(WORD, 2 * Long.BYTES, buffer.address() - allocation.segment().address());
        bytes.set(WORD, 3 * Long.BYTES, buffer.byteSize());
        return new MemoryHandle(BACKEND, bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return handle.backend().equals(BACKEND) && handle.segment().get(WORD, 0) == HostProcess.id();
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        if (!canMap(handle)) {
            throw new UnsupportedException("memory of backend " + handle.backend()
                    + " in another process cannot be mapped; use port channels to reach it");
        }
        MemorySegment bytes = handle.segment();
        HostAllocation allocation = HostAllocation.find(bytes.get(WORD, Long.BYTES))
                .orElseThrow(() -> new InvalidArgumentException(
                        "memory that a peer described was freed; it must stay open until it is mapped"));
        return new MappedAllocation(allocation, bytes.get(WORD, 2 * Long.BYTES), bytes.get(WORD, 3 * Long.BYTES));
    }

    @Override
    public PlanEngine planEngine() {
        return engine;
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        return new HostMemoryChannel(spec);
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        own(buffer).allocation().retain();
    }

    @Override
    public void release(DeviceBuffer buffer) {
        own(buffer).allocation().release();
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().add(user);
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        own(buffer).allocation().remove(user);
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        NativeMemory.getAndAddLong(own(buffer).address() + offset, 1);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return NativeMemory.getLongAcquire(own(buffer).address() + offset);
    }

    @Override
    public long readCounter(MappedMemory memory, long offset) {
        return NativeMemory.getLongAcquire(memory.address() + offset);
    }

    @Override
    public void wake() {
        scheduler.wake();
    }

    private static HostBuffer own(DeviceBuffer buffer) {
        if (buffer instanceof HostBuffer host) {
            return host;
        }
        throw InvalidArgumentException.of(
                "buffer", buffer.getClass().getName(), "a buffer allocated by a device of the host backend");
    }

    @Override
    public void close() {
        // buffers and streams have owners of their own
    }
}
