/**
 * The operations of a thread block, compiled for one launch: resumable {@link org.mscclj.backend.host.step.HostStep}s
 * over {@link org.mscclj.backend.host.step.StepOperand}s, which locate a range of chunks. Steps allocate nothing after
 * their construction.
 */
package org.mscclj.backend.host.step;
