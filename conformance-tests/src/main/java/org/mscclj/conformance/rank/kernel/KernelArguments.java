package org.mscclj.conformance.rank.kernel;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.task.Opened;

/** Arguments that kernels of checks receive by address. */
public final class KernelArguments {
    private KernelArguments() {}

    /**
     * Returns memory of the device with this content.
     *
     * @param opened closes the memory
     */
    public static DeviceBuffer upload(Device device, MemorySegment content, Opened opened) {
        DeviceBuffer buffer = opened.add(device.allocate(content.byteSize()), DeviceBuffer::close);
        buffer.copyFrom(content);
        return buffer;
    }
}
