package org.mscclj.runtime.execution.binding;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;

/**
 * Layout of addends and sums in separate memory. If the plan works in place, both share memory as the in-place form of
 * the collective requires.
 *
 * @param inputBytes bytes of all addends
 * @param outputStart offset of the sums, in bytes
 * @param outputBytes bytes of all sums
 */
record AddendPlaces(long inputBytes, long outputStart, long outputBytes) {
    /** Addends and sums start at a multiple of this number of bytes. */
    private static final long ALIGNMENT = 256;

    /**
     * Returns the layout for a rank of a plan.
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

    /** Returns the bytes of memory that addends and sums take. */
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
