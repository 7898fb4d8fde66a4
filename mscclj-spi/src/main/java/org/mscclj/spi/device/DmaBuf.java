package org.mscclj.spi.device;

/**
 * Memory of a device that other devices of the host access through the Linux kernel.
 *
 * @param descriptor a file descriptor, which the receiver closes
 * @param offset where the memory begins in what the descriptor names, in bytes
 */
public record DmaBuf(int descriptor, long offset) {}
