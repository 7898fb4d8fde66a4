/**
 * The immutable model of execution plans: what every rank and every thread block runs.
 *
 * <p>A {@link org.mscclj.plan.Plan} holds one {@link org.mscclj.plan.RankPlan} a rank, which holds
 * {@link org.mscclj.plan.ThreadBlock}s of {@link org.mscclj.plan.Operation}s over {@link org.mscclj.plan.ChunkRef}s.
 * The vocabulary and the file format are MSCCL++'s.
 */
package org.mscclj.plan;
