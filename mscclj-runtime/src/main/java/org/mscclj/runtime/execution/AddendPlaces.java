package org.mscclj.runtime.execution;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;

/**
 * Where addends and sums lie in memory of their own. In place both share memory as the collective's in-place form says.
 *
 * @param inputBytes bytes of all addends
 * @param outputStart where the sums start, in bytes
 * @param outputBytes bytes of all sums
 */
record AddendPlaces(long inputBytes, long outputStart, long outputBytes) {
    /** Both start at a multiple of this. */
    private static final long ALIGNMENT = 256;

    /**
     * The places for a rank of a plan.
     *
     * @param sliceBytes bytes of a slice of addends
     */
    static AddendPlaces of(Plan plan, int rank, long sliceBytes) {
        Collective collective = plan.collective();
        long input = sliceBytes * collective.inputSlices(plan.worldSize());
        long output = sliceBytes * collective.outputSlices(plan.worldSize());
        if (plan.inPlace()) {
            return new AddendPlaces(input, output < input ? rank * output : 0, output);
        }
        return new AddendPlaces(input, Math.ceilDiv(input, ALIGNMENT) * ALIGNMENT, output);
    }

    /** How much memory is needed. */
    long bytes() {
        return Math.max(inputBytes, outputStart + outputBytes);
    }

    DeviceBuffer input(DeviceBuffer memory) {
        return memory.slice(0, inputBytes);
    }

    DeviceBuffer output(DeviceBuffer memory) {
        return memory.slice(outputStart, outputBytes);
    }
}
