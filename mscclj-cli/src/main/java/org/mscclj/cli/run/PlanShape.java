package org.mscclj.cli.run;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Sources;
import org.mscclj.plan.Plan;

/** Calls of plans. */
final class PlanShape {
    private PlanShape() {}

    static CallShape of(Plan plan, long count, DataType type, ReduceOp op) {
        return new CallShape(plan.collective(), plan.worldSize(), plan.inPlace(), count, type, op, Sources.of(plan));
    }
}
