package org.mscclj.runtime.execution.binding;

import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.operation.Preparation;

/** Describes operations by properties that are equal on all ranks that make an equal call. */
final class OperationWords {
    private OperationWords() {}

    /**
     * Describes a call of a plan.
     *
     * @param sliceBytes bytes of a slice; buffers may have any size on ranks that ignore them
     */
    static OperationDescription of(Plan plan, PlanCall call, Preparation preparation, long sliceBytes) {
        if (preparation.barrier()) {
            return barrier(preparation);
        }
        Collective collective = plan.collective();
        int slices = collective == Collective.ALLGATHER
                ? collective.outputSlices(plan.worldSize())
                : collective.inputSlices(plan.worldSize());
        return new OperationDescription(
                name(plan, preparation),
                call.type().toString(),
                call.op().kind() == ReduceOp.Kind.NOP ? "" : call.op().kind().label(), // factors may differ by rank
                preparation.root(),
                sliceBytes * slices,
                plan.inPlace(),
                preparation.places().describe(),
                preparation.algorithm());
    }

    private static String name(Plan plan, Preparation preparation) {
        return preparation.operation().isEmpty() ? plan.collective().label() : preparation.operation();
    }

    private static OperationDescription barrier(Preparation preparation) {
        return new OperationDescription("barrier", "", "", -1, 0, false, preparation.algorithm());
    }
}
