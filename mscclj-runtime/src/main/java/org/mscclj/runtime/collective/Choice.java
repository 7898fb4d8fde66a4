package org.mscclj.runtime.collective;

import org.mscclj.plan.Plan;

/**
 * An algorithm for a call, and the plan that it is.
 *
 * @param shipped whether it is one of the programs that ship with mscclj, not a registered plan
 */
record Choice(String algorithm, Plan plan, boolean shipped) {}
