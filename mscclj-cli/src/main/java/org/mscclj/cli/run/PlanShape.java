package org.mscclj.cli.run;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.plan.Plan;

/** Describes calls of plans. */
final class PlanShape {
    private PlanShape() {}

    static CheckedCall of(Plan plan, long count, DataType type, ReduceOp op) {
        return new CheckedCall(plan.collective(), plan.worldSize(), plan.inPlace(), count, type, op, Sources.of(plan));
    }
}
