package org.mscclj.gpu.driver;

/**
 * Properties of a vendor's GPUs that determine the engine's launches.
 *
 * @param hardwareQueues the number of streams of this process that run on a GPU independently of each other
 * @param wholeLines whether a line of 128 bytes that the threads of a warp store arrives at a peer as a whole
 */
public record GpuTraits(int hardwareQueues, boolean wholeLines) {}
