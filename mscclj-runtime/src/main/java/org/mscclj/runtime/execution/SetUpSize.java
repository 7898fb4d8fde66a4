package org.mscclj.runtime.execution;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.runtime.execution.binding.PlanWorkload;

/**
 * The calls for which a plan is set up. Equal on all ranks.
 *
 * @param type the type of the calls' elements
 * @param op the operation of the calls
 * @param sliceBytes bytes of a slice of the first call
 * @param mostBytes the most bytes of a slice that the scratch should serve in one round, within its limit
 */
public record SetUpSize(DataType type, ReduceOp.Kind op, long sliceBytes, long mostBytes) {
    /** Slices for which a context always gets the largest scratch. */
    private static final long LARGEST_BYTES = 1L << 52;

    /** The most bytes of a slice for which memory for addends is allocated before a call needs it. */
    private static final long SMALL_BYTES = 64 << 10;

    private static final long MIN_BYTES = 4096;

    /** Returns bytes of slices in the plan's buffers that the scratch of a context should serve in one round. */
    long contextBytes(Plan plan) {
        return mostBytes >= LARGEST_BYTES ? LARGEST_BYTES : PlanWorkload.sliceBytes(plan, type, op, mostBytes);
    }

    /** Returns the bytes of a slice of addends for which memory is allocated. */
    long addendBytes(Plan plan) {
        return PlanWorkload.sliceBytes(plan, type, op, addendCapacity());
    }

    /** Returns the most bytes of a caller's slice for which memory for addends is allocated. */
    long addendCapacity() {
        if (mostBytes <= SMALL_BYTES) {
            return mostBytes;
        }
        return sliceBytes <= MIN_BYTES ? MIN_BYTES : Long.highestOneBit(2 * sliceBytes - 1);
    }

    /**
     * Returns the most bytes of a caller's slice that calls may have without a set-up of their own.
     *
     * @param slotBytes bytes of a slot of the context
     * @param largestSlot whether slots cannot be larger
     */
    long capacity(Plan plan, long slotBytes, boolean largestSlot) {
        long ofScratch = largestSlot
                ? Long.MAX_VALUE
                : PlanWorkload.callerBytes(
                        plan, type, op, slotBytes * Math.max(1, LaunchGeometry.chunksPerSlice(plan)));
        return PlanWorkload.hasAddends(plan, op) ? Math.min(ofScratch, addendCapacity()) : ofScratch;
    }
}
