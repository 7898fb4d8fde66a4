package org.mscclj.conformance.reference;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.element.Elements;

/**
 * One launch on one rank.
 *
 * @param rank the rank
 * @param world number of ranks
 * @param number among the launches of its operation, from 1
 * @param waitedMillis how long this rank has waited for the others
 * @param alone whether no operation of another communicator was in flight on the rank
 * @param call what is computed
 * @param before what the output held
 * @param result what it shall hold; a defect may change it
 */
record Launch(
        int rank,
        int world,
        long number,
        long waitedMillis,
        boolean alone,
        CollectiveCall call,
        long[] before,
        long[] result) {
    /** Stores the result. */
    void write(DeviceBuffer output) {
        Elements elements = new Elements(output.segment(), call.type());
        for (int i = 0; i < result.length; i++) {
            elements.set(i, result[i]);
        }
    }
}
