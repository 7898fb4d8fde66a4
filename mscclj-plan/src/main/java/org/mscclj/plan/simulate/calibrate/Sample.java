package org.mscclj.plan.simulate.calibrate;

import org.mscclj.plan.Plan;

/**
 * A measured time, and the plan that took it.
 *
 * @param measured the time
 * @param plan what ran
 */
public record Sample(MeasuredTime measured, Plan plan) {}
