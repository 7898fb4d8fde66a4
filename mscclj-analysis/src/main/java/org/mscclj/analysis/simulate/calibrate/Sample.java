package org.mscclj.analysis.simulate.calibrate;

import org.mscclj.plan.Plan;

/**
 * A measured time and its plan.
 *
 * @param measured the time
 * @param plan the plan that was measured
 */
public record Sample(MeasuredTime measured, Plan plan) {}
