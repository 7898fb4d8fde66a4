package org.mscclj.gpu.transport;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.spi.device.BackendDevice;

/** A device whose context makes the copies of the transport. */
public interface CopyingDevice extends BackendDevice {
    /** The GPU's context. */
    DeviceContext context();
}
