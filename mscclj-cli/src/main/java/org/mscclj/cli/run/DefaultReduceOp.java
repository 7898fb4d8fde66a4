package org.mscclj.cli.run;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;

/** The reduction of a call without {@code --op}: that of the plan, or sum. */
final class DefaultReduceOp {
    private DefaultReduceOp() {}

    static ReduceOp of(Plan plan) {
        if (!plan.collective().reduces() && plan.collective() != Collective.TEST) {
            return ReduceOp.NOP;
        }
        return FixedReduceOp.of(plan).map(kind -> new ReduceOp(kind, 1)).orElse(ReduceOp.SUM);
    }
}
