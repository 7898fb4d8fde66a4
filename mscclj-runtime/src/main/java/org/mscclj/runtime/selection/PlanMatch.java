package org.mscclj.runtime.selection;

import java.util.Optional;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.plan.PlanRequest;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;

/** Finds out whether a plan can serve a request, and if not, why. */
final class PlanMatch {
    private PlanMatch() {}

    static Optional<String> refusal(PlanHandle handle, PlanRequest request) {
        ExecutionPlan plan = handle.plan();
        if (plan.collective() != request.collective()) {
            return Optional.of("it computes " + plan.collective());
        }
        if (plan.worldSize() != request.worldSize()) {
            return Optional.of("it is for " + plan.worldSize() + " ranks");
        }
        int ranksPerNode = handle.ranksPerNode().orElse(request.ranksPerNode());
        if (ranksPerNode != request.ranksPerNode()) {
            return Optional.of("it is for " + ranksPerNode + " ranks a node");
        }
        if (plan.inPlace() != request.inPlace()) {
            return Optional.of(plan.inPlace() ? "it works in place" : "it works out of place");
        }
        if (Long.compareUnsigned(request.messageSize(), plan.minMessageSize()) < 0
                || Long.compareUnsigned(request.messageSize(), plan.maxMessageSize()) > 0) {
            return Optional.of("it takes " + Long.toUnsignedString(plan.minMessageSize()) + " to "
                    + Long.toUnsignedString(plan.maxMessageSize()) + " bytes");
        }
        return plan instanceof Plan model
                ? FixedReduceOp.conflicting(model, request.op())
                        .map(kind -> FixedReduceOp.contradiction(model)
                                .orElse("it fixes the reduce operation " + kind.label()))
                : Optional.empty();
    }

    static String describe(PlanRequest request) {
        return request.collective() + " of " + request.messageSize() + " bytes of " + request.type() + " by "
                + request.op()
                + " on " + request.worldSize() + " ranks, " + request.ranksPerNode() + " a node, "
                + (request.inPlace() ? "in place" : "out of place");
    }
}
