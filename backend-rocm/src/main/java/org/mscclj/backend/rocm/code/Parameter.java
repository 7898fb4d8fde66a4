package org.mscclj.backend.rocm.code;

/**
 * A parameter of a kernel.
 *
 * @param offset in the arguments, in bytes
 * @param bytes its size
 */
public record Parameter(long offset, long bytes) {}
