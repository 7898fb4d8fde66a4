package org.mscclj.conformance.rank.loss;

import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.task.Opened;

/**
 * The kernels of one rank. They wait for a rank that closes its communicator; on that rank, they send to the others.
 */
interface ClosedKernels {
    /** Makes the kernels, on all ranks of the node together. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes the kernels. Collective.
         *
         * @param closing the rank that closes
         * @param opened receives everything that must be closed
         */
        ClosedKernels make(Communicator communicator, int closing, Opened opened);
    }

    /** Launches the kernel that sends to all other ranks. */
    void send(Stream stream);

    /** Launches the kernels that wait when the rank closes. */
    void launch(Stream stream, DeviceBuffer status);

    /** Launches the kernels that wait after the rank has closed. */
    void launchLate(Stream stream, DeviceBuffer status);

    /** Returns the calls that must throw the reason why waits have ended. */
    List<Runnable> checks();

    /** Returns the expected words of the status after both launches, with the meaning of each. */
    Map<String, Long> right();
}
