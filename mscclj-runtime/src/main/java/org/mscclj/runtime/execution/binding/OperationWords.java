package org.mscclj.runtime.execution.binding;

import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.operation.Preparation;

/** Describes operations by properties that are equal on all ranks that make an equal call. */
public final class OperationWords {
    private OperationWords() {}

    /**
     * Describes a call of a plan.
     *
     * @param sliceBytes bytes of a slice; buffers may have any size on ranks that ignore them
     */
    static OperationDescription of(Plan plan, PlanCall call, Preparation preparation, long sliceBytes) {
        Collective collective = plan.collective();
        int slices = collective == Collective.ALLGATHER
                ? collective.outputSlices(plan.worldSize())
                : collective.inputSlices(plan.worldSize());
        return of(collective, call.type(), call.op().kind(), sliceBytes * slices, plan.inPlace(), preparation);
    }

    /**
     * Describes a call.
     *
     * @param bytes size of the message
     */
    public static OperationDescription of(
            Collective collective,
            DataType type,
            ReduceOp.Kind op,
            long bytes,
            boolean inPlace,
            Preparation preparation) {
        if (preparation.barrier()) {
            return barrier(preparation);
        }
        return new OperationDescription(
                preparation.operation().isEmpty() ? collective.label() : preparation.operation(),
                type.toString(),
                op == ReduceOp.Kind.NOP ? "" : op.label(), // factors may differ by rank
                preparation.root(),
                bytes,
                inPlace,
                preparation.places().describe(),
                preparation.algorithm());
    }

    private static OperationDescription barrier(Preparation preparation) {
        return new OperationDescription("barrier", "", "", -1, 0, false, preparation.algorithm());
    }
}
