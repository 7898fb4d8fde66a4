/**
 * Compiles the recording of a program into a plan, in passes over each thread block's steps:
 * {@link org.mscclj.language.pass.Fusion adjacent operations are fused}, synchronisations of the block's threads are
 * inserted {@link org.mscclj.language.pass.SyncInsertion where the program requests them} and
 * {@link org.mscclj.language.pass.Hazards where data dependencies require them}, the program is
 * {@link org.mscclj.language.pass.Instances replicated}, and {@link org.mscclj.language.pass.BlockLowering ids are
 * renumbered for each block}. The passes follow MSCCL++'s DSL; where they deviate to correct it, the class says so.
 */
package org.mscclj.language.pass;
