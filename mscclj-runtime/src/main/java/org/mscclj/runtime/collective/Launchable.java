package org.mscclj.runtime.collective;

import org.mscclj.api.CollectiveCall;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PreparedPlan;

/** What was set up for a kind of calls. */
interface Launchable {
    /** Returns the operation that runs a call. Not collective. */
    PreparedPlan on(CollectiveCall call);

    /** Returns the context in which the launches run; equal on all ranks. */
    PlanContext context();

    /**
     * Ends the use of this object: hands over its prepared operations, which are closed when their launches have ended.
     */
    void retire(Retirement retirement);

    /** Closes the prepared operations, of which none was launched, because another rank could not set them up. */
    void abandon();
}
