/**
 * Plan files: JSON as MSCCL++'s DSL writes it and its executor reads it.
 *
 * <p>{@link org.mscclj.plan.json.PlanReader} believes nothing: whatever a file holds, the result is a valid plan or one
 * {@link org.mscclj.api.error.InvalidArgumentException} that says where the fault is.
 */
package org.mscclj.plan.json;
