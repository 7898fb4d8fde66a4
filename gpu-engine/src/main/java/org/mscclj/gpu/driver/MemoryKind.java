package org.mscclj.gpu.driver;

/**
 * Required properties of physical memory.
 *
 * @param ordinal the GPU
 * @param shareable whether other processes can map it
 * @param directRdma whether network cards can access it
 */
public record MemoryKind(int ordinal, boolean shareable, boolean directRdma) {}
