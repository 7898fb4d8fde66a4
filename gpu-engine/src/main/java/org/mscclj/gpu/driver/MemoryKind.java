package org.mscclj.gpu.driver;

/**
 * What physical memory is to be like.
 *
 * @param ordinal the GPU
 * @param shareable whether other processes can map it
 * @param directRdma whether network cards can reach it
 */
public record MemoryKind(int ordinal, boolean shareable, boolean directRdma) {}
