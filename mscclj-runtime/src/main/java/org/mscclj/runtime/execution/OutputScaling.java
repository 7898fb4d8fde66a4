package org.mscclj.runtime.execution;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;

/**
 * Whether a rank scales its output when a launch has ended. Every rank does for an average or a premultiplied sum, except in a reduce: there
 * only the root has a sum. A plan does not name its root; it is the rank whose output the plan writes.
 */
final class OutputScaling {
    private OutputScaling() {}

    static boolean applies(Plan plan, int rank, ReduceOp op) {
        boolean scales = op.kind() != op.kind().combiner();
        boolean everywhere = plan.collective() != Collective.REDUCE || plan.worldSize() == 1;
        return scales && (everywhere || BufferUse.isOutputWritten(plan, rank));
    }
}
