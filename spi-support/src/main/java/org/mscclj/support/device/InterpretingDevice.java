package org.mscclj.support.device;

import java.util.Objects;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.support.launch.InterpretingEngine;
import org.mscclj.support.memory.Memory;
import org.mscclj.support.stream.InOrderEvent;
import org.mscclj.support.stream.InOrderStream;

/**
 * A device that lacks only its memory: how it is allocated, described to peers, and mapped. Plans run by the reference
 * interpreter.
 */
public abstract class InterpretingDevice implements BackendDevice {
    private final String backend;
    private final int index;
    private final Memory memory;

    /**
     * A device.
     *
     * @param backend the name of the backend
     * @param index the position among the backend's devices
     * @param memory the memory in which the addresses of buffers and mappings lie
     */
    protected InterpretingDevice(String backend, int index, Memory memory) {
        this.backend = backend;
        this.index = index;
        this.memory = memory;
    }

    /**
     * Allocates zeroed memory that this device and its peers can access, at a multiple of 128 bytes.
     *
     * @param bytes its size, 0 or more
     * @throws org.mscclj.api.error.BackendException if there is not enough memory
     */
    protected abstract Allocation allocateMemory(long bytes);

    @Override
    public final String backend() {
        return backend;
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final DeviceBuffer allocate(long bytes) {
        if (bytes < 0) {
            throw InvalidArgumentException.of("size", bytes + " bytes", "0 or more");
        }
        return MemoryBuffer.owning(allocateMemory(bytes));
    }

    /** Memory of the device, which is the host's. */
    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return allocate(bytes);
    }

    @Override
    public Stream createStream() {
        return new InOrderStream(this, memory);
    }

    @Override
    public Event createEvent() {
        return new InOrderEvent();
    }

    @Override
    public PlanEngine planEngine() {
        return new InterpretingEngine(memory);
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        Objects.requireNonNull(spec, "spec");
        throw new UnsupportedException("backend " + backend
                + " has no channels that applications call (HOST_CHANNELS, DEVICE_CHANNELS); use plans");
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        MemoryBuffer.of(buffer).allocation().use().retain();
    }

    @Override
    public void release(DeviceBuffer buffer) {
        MemoryBuffer.of(buffer).allocation().use().release();
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        MemoryBuffer.of(buffer).allocation().use().add(user);
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        MemoryBuffer.of(buffer).allocation().use().remove(user);
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        memory.add(buffer.address() + offset, 1);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return memory.getAcquire(buffer.address() + offset);
    }

    @Override
    public long readCounter(MappedMemory mapped, long offset) {
        return memory.getAcquire(mapped.address() + offset);
    }

    @Override
    public void close() {
        // buffers and streams have their own owners
    }
}
