package org.mscclj.gpu.driver;

/**
 * Numeric properties of a vendor's GPUs that determine the engine's launches.
 *
 * @param hardwareQueues the number of streams of this process that run on a GPU independently of each other
 */
public record GpuTraits(int hardwareQueues) {}
