package org.mscclj.runtime.collective;

import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PreparedPlan;

/** One operation on registered buffers, which the kind of the call identifies. */
record RegisteredLaunch(PreparedPlan operation) implements Launchable {
    @Override
    public PreparedPlan on(CollectiveCall call) {
        return operation;
    }

    @Override
    public PlanContext context() {
        return operation.context();
    }

    @Override
    public void retire(Retirement retirement) {
        retirement.add(operation);
    }

    @Override
    public void abandon() {
        operation.close();
    }
}
