package org.mscclj.cli.measure;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;

/** Makes the operation that is measured: a plan's, or a collective of the communicator. */
@FunctionalInterface
public interface OperationSource {
    /** Prepares it on the given buffers. Collective. */
    PreparedOperation prepare(Communicator communicator, DeviceBuffer input, DeviceBuffer output);
}
