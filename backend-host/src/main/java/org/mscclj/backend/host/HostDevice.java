package org.mscclj.backend.host;

import java.util.Objects;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.host.channel.HostMemoryChannel;
import org.mscclj.backend.host.engine.HostPlanEngine;
import org.mscclj.backend.host.memory.HostMemory;
import org.mscclj.backend.host.schedule.HostEvent;
import org.mscclj.backend.host.schedule.HostScheduler;
import org.mscclj.backend.host.schedule.HostStream;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.HardwareKind;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PlanEngine;

/** A rank's share of the host. */
final class HostDevice implements BackendDevice {
    private static final String BACKEND = "host";

    private final int index;
    private final HostMemory memory;
    private final HostScheduler scheduler;
    private final PlanEngine engine;

    HostDevice(int index, HostMemory memory) {
        this.index = index;
        this.memory = memory;
        this.scheduler = memory.scheduler();
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
        return "CPU, " + scheduler.slots() + " threads at work at once";
    }

    @Override
    public HardwareKind hardware() {
        return ProcessorName.KIND;
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return memory.allocate(bytes);
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return allocate(bytes);
    }

    @Override
    public DeviceBuffer adoptMemory(long address, long bytes, Runnable release) {
        Objects.requireNonNull(release, "release");
        return memory.adopt(address, bytes, release);
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
        return memory.export(buffer);
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return memory.canMap(handle);
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        return memory.map(handle);
    }

    @Override
    public MappedView view(MappedMemory mapped) {
        return memory.view(mapped);
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
        memory.retain(buffer);
    }

    @Override
    public void release(DeviceBuffer buffer) {
        memory.release(buffer);
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        memory.addUser(buffer, user);
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        memory.removeUser(buffer, user);
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        NativeMemory.getAndAddLong(memory.address(buffer) + offset, 1);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return NativeMemory.getLongAcquire(memory.address(buffer) + offset);
    }

    @Override
    public long readCounter(MappedMemory memory, long offset) {
        return NativeMemory.getLongAcquire(memory.address() + offset);
    }

    @Override
    public void wake() {
        scheduler.wake();
        scheduler.ringPeers();
    }

    @Override
    public void close() {
        // buffers and streams have their own owners
    }
}
