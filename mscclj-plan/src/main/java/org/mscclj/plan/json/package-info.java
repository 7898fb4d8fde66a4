/**
 * Plan files: JSON as MSCCL++'s DSL writes and its executor reads it. Also the files of the simulator: topologies, and
 * measurements for calibration.
 *
 * <p>The readers trust no input: the result is a valid plan, topology or measurement, or one
 * {@link org.mscclj.api.error.InvalidArgumentException} that names the position of the fault.
 */
package org.mscclj.plan.json;
