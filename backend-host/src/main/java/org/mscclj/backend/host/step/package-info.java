/**
 * The operations of a thread block, compiled for one launch: resumable {@link org.mscclj.backend.host.step.Step}s over
 * {@link org.mscclj.backend.host.step.Operand}s, which know where a range of chunks lies. Nothing here allocates once
 * built.
 */
package org.mscclj.backend.host.step;
