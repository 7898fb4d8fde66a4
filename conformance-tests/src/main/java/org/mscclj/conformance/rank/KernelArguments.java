package org.mscclj.conformance.rank;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.task.Opened;

/** What kernels of checks are given by its address. */
final class KernelArguments {
    private KernelArguments() {}

    /**
     * Memory of the device that holds something.
     *
     * @param opened closes it
     */
    static DeviceBuffer upload(Device device, MemorySegment content, Opened opened) {
        DeviceBuffer buffer = opened.add(device.allocate(content.byteSize()), DeviceBuffer::close);
        buffer.copyFrom(content);
        return buffer;
    }
}
