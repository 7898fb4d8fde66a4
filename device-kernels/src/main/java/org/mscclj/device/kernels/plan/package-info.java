/**
 * Kernels of plans. {@link org.mscclj.device.kernels.plan.PlanKernel} is the code. It depends on a plan's block shapes
 * (their operations without the numbers), the type of the elements, the reduction and the packet format, and is the
 * same for all ranks and sizes. {@link org.mscclj.device.kernels.plan.LaunchTable} holds the numbers: addresses and
 * lengths of one rank, for one pair of buffers and one size. {@link org.mscclj.device.kernels.plan.StateLayout}
 * describes the memory that persists between launches.
 *
 * <p>This package calls no driver: a backend compiles the text, copies the words, and launches.
 */
package org.mscclj.device.kernels.plan;
