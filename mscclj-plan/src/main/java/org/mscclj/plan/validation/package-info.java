/**
 * What can be checked of a plan without running it: that it is well formed
 * ({@link org.mscclj.plan.validation.PlanValidator}), and whether relaxed signals stand where a release is needed
 * ({@link org.mscclj.plan.validation.RelaxedSignals}).
 */
package org.mscclj.plan.validation;
