package org.mscclj.gpu.driver;

/**
 * Numbers of the GPUs of a vendor that decide about the engine's launches.
 *
 * @param warpSize threads that execute an instruction together
 * @param maxThreads the most threads of a block
 * @param hardwareQueues how many streams of this process run on a GPU independently of each other
 */
public record GpuTraits(int warpSize, int maxThreads, int hardwareQueues) {}
