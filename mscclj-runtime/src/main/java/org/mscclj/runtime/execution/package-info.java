/**
 * Preparation and launch of plans: checks of the call, agreement among ranks, memory and wiring of a plan's context,
 * and the prepared operation.
 */
package org.mscclj.runtime.execution;
