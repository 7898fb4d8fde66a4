/**
 * Static checks of a plan: whether it is well formed ({@link org.mscclj.plan.validation.PlanValidator}), and whether it
 * has relaxed signals where a release is needed ({@link org.mscclj.plan.validation.RelaxedSignals}).
 */
package org.mscclj.plan.validation;
