package org.mscclj.conformance.rank;

import java.util.List;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.task.Opened;

/** Kernels of a rank, which wait for one that closes its communicator; of that one, those that send to the others. */
interface ClosedKernels {
    /** Makes them, on all ranks of the node together. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes them. Collective.
         *
         * @param closing the rank that closes
         * @param opened gets what is to be closed
         */
        ClosedKernels make(Communicator communicator, int closing, Opened opened);
    }

    /** Launches what sends to all other ranks. */
    void send(Stream stream);

    /** Launches what waits when the rank closes. */
    void launch(Stream stream, DeviceBuffer status);

    /** Launches what waits when it has closed. */
    void launchLate(Stream stream, DeviceBuffer status);

    /** Calls that must throw why waits have ended. */
    List<Runnable> checks();

    /** What the words of the status must be after both launches, and what each says. */
    Map<String, Long> right();
}
