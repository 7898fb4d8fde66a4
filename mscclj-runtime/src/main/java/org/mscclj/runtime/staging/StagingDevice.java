package org.mscclj.runtime.staging;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.HardwareKind;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PlanEngine;

/**
 * A device as a transport sees it that moves memory of the host: memory is pinned memory of the host, and the host
 * raises counters. All else is the device's.
 */
final class StagingDevice implements BackendDevice {
    private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

    private final BackendDevice device;

    StagingDevice(BackendDevice device) {
        this.device = device;
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return device.allocateHost(bytes);
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        long _ = (long) COUNTER.getAndAddRelease(buffer.segment(), offset, 1L);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return (long) COUNTER.getAcquire(buffer.segment(), offset);
    }

    @Override
    public long readCounter(MappedMemory memory, long offset) {
        return device.readCounter(memory, offset);
    }

    @Override
    public String backend() {
        return device.backend();
    }

    @Override
    public int index() {
        return device.index();
    }

    @Override
    public String description() {
        return device.description();
    }

    @Override
    public HardwareKind hardware() {
        return device.hardware();
    }

    @Override
    public Optional<String> busAddress() {
        return device.busAddress();
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return device.allocateHost(bytes);
    }

    @Override
    public Stream createStream() {
        return device.createStream();
    }

    @Override
    public Event createEvent() {
        return device.createEvent();
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        return device.export(buffer);
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return device.canMap(handle);
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        return device.map(handle);
    }

    @Override
    public PlanEngine planEngine() {
        return device.planEngine();
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        return device.createMemoryChannel(spec);
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        device.retain(buffer);
    }

    @Override
    public void release(DeviceBuffer buffer) {
        device.release(buffer);
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        device.addUser(buffer, user);
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        device.removeUser(buffer, user);
    }

    @Override
    public void wake() {
        device.wake();
    }

    @Override
    public AutoCloseable whenLost(Consumer<BackendException> listener) {
        return device.whenLost(listener);
    }

    /** Does nothing: the runtime closes the device. */
    @Override
    public void close() {}
}
