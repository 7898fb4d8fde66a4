package org.mscclj.gpu.driver;

/**
 * Required properties of a multicast object.
 *
 * @param members the number of GPUs that are added to it
 * @param bytes its size
 * @param shareable whether other processes open it by a file descriptor
 * @param fabric whether processes of other hosts open it by a handle for the fabric
 */
public record MulticastKind(int members, long bytes, boolean shareable, boolean fabric) {}
