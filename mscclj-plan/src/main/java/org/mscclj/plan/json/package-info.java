/**
 * Plan files: JSON as MSCCL++'s DSL writes it and its executor reads it; and the files of the simulator: topologies,
 * and measurements to fit them to.
 *
 * <p>The readers believe nothing: whatever a file holds, the result is a valid plan, topology or measurement, or one
 * {@link org.mscclj.api.error.InvalidArgumentException} that says where the fault is.
 */
package org.mscclj.plan.json;
