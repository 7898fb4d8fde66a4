package org.mscclj.runtime.selection;

import java.util.Optional;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;

/** Finds out whether a plan can serve a call, and if not, why. */
final class PlanMatch {
    private PlanMatch() {}

    static Optional<String> refusal(PlanHandle handle, CallShape call) {
        ExecutionPlan plan = handle.plan();
        if (plan.collective() != call.collective()) {
            return Optional.of("it computes " + plan.collective());
        }
        if (plan.worldSize() != call.ranks()) {
            return Optional.of("it is for " + plan.worldSize() + " ranks");
        }
        int ranksPerNode = handle.ranksPerNode().orElse(call.ranksPerNode());
        if (ranksPerNode != call.ranksPerNode()) {
            return Optional.of("it is for " + ranksPerNode + " ranks a node");
        }
        if (plan.inPlace() != call.inPlace()) {
            return Optional.of(plan.inPlace() ? "it works in place" : "it works out of place");
        }
        if (Long.compareUnsigned(call.bytes(), plan.minMessageSize()) < 0
                || Long.compareUnsigned(call.bytes(), plan.maxMessageSize()) > 0) {
            return Optional.of("it takes " + Long.toUnsignedString(plan.minMessageSize()) + " to "
                    + Long.toUnsignedString(plan.maxMessageSize()) + " bytes");
        }
        return plan instanceof Plan model
                ? FixedReduceOp.conflicting(model, call.op())
                        .map(kind -> FixedReduceOp.contradiction(model)
                                .orElse("it fixes the reduce operation " + kind.label()))
                : Optional.empty();
    }

    static String describe(CallShape call) {
        return call.collective() + " of " + call.bytes() + " bytes of " + call.type() + " by "
                + call.op()
                + " on " + call.ranks() + " ranks, " + call.ranksPerNode() + " a node, "
                + (call.inPlace() ? "in place" : "out of place");
    }
}
