package org.mscclj.gpu.driver;

/**
 * Numeric properties of a vendor's GPUs that determine the engine's launches.
 *
 * @param warpSize threads that execute an instruction together
 * @param hardwareQueues the number of streams of this process that run on a GPU independently of each other
 */
public record GpuTraits(int warpSize, int hardwareQueues) {}
