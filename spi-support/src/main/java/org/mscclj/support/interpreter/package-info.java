/**
 * The reference interpreter of plans: carries out the launches of a plan on one rank by simple code, as
 * {@code docs/SPEC.md} describes it. {@link org.mscclj.support.interpreter.PlanInterpreter} is its entry. The decision
 * is in {@code docs/decisions/0029-reference-interpreter.md}.
 */
package org.mscclj.support.interpreter;
