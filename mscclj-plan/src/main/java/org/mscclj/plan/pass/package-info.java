/**
 * From what a program has recorded to a plan, in passes over each thread block's steps:
 * {@link org.mscclj.plan.pass.Fusion neighbours are fused}, {@link org.mscclj.plan.pass.Meets meetings of the block's
 * threads} are put where the program asked for them, and {@link org.mscclj.plan.pass.Hazards where data demands them},
 * the program is {@link org.mscclj.plan.pass.Instances replicated}, and {@link org.mscclj.plan.pass.BlockLowering
 * written in the block's own numbers}. The passes are those of MSCCL++'s DSL; where it is wrong, the class says so.
 */
package org.mscclj.plan.pass;
