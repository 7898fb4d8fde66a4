package org.mscclj.runtime.collective;

import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PreparedPlan;

/** What was set up for a kind of calls. */
interface Launchable {
    /** The operation that runs a call. Not collective. */
    PreparedPlan on(CollectiveCall call);

    /** Where its launches run; equal on all ranks. */
    PlanContext context();

    /** Nobody will ask any more: gives away what was prepared, to be closed when its launches have ended. */
    void retire(Retirement retirement);

    /** Another rank could not set it up: closes what was prepared, of which nothing was launched. */
    void abandon();
}
