/**
 * Plan files: JSON as MSCCL++'s DSL writes and its executor reads it.
 *
 * <p>The reader trusts no input: the result is a valid plan, or one
 * {@link org.mscclj.api.error.InvalidArgumentException} that names the position of the fault.
 */
package org.mscclj.plan.json;
