package org.mscclj.dlpack;

import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/** A device that claims to belong to another backend. */
record NamedDevice(String backend, int index, Device memory) implements Device {
    @Override
    public String description() {
        return "a stand-in";
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return memory.allocate(bytes);
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return memory.allocateHost(bytes);
    }

    @Override
    public DeviceBuffer adoptMemory(long address, long bytes, Runnable release) {
        return memory.adoptMemory(address, bytes, release);
    }

    @Override
    public Stream createStream() {
        return memory.createStream();
    }

    @Override
    public Event createEvent() {
        return memory.createEvent();
    }
}
