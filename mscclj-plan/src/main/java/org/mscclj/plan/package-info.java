/**
 * The immutable model of execution plans: the operations of every rank and thread block.
 *
 * <p>A {@link org.mscclj.plan.Plan} holds one {@link org.mscclj.plan.RankPlan} for each rank, which holds
 * {@link org.mscclj.plan.ThreadBlock}s with {@link org.mscclj.plan.Operation}s over {@link org.mscclj.plan.ChunkRef}s.
 * Terms and file format are those of MSCCL++.
 */
package org.mscclj.plan;
