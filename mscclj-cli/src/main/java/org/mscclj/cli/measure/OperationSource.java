package org.mscclj.cli.measure;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;

/** Prepares the measured operation: that of a plan, or a collective of the communicator. */
@FunctionalInterface
public interface OperationSource {
    /** Prepares the operation on the given buffers. All ranks must call this. */
    PreparedOperation prepare(Communicator communicator, DeviceBuffer input, DeviceBuffer output);
}
