package org.mscclj.cli.explain;

import java.util.Optional;
import java.util.function.LongFunction;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.cli.check.CheckedCall;

/**
 * A call that is explained.
 *
 * @param shape the collective, its operation and size
 * @param root the root; 0 if the collective has none
 * @param algorithm the algorithm that the call names
 * @param plain whether its buffers are memory of the device, not of the communicator
 */
record ExplainedCall(CheckedCall shape, int root, Optional<String> algorithm, boolean plain) {
    /** Returns what allocates the memory of the call. */
    LongFunction<DeviceBuffer> allocator(Communicator communicator) {
        return plain ? communicator.device()::allocate : communicator::allocate;
    }

    /** Returns the call on some buffers. */
    CollectiveCall on(DeviceBuffer input, DeviceBuffer output) {
        return new CollectiveCall(shape.collective(), input, output, shape.type(), shape.op(), root, algorithm);
    }
}
