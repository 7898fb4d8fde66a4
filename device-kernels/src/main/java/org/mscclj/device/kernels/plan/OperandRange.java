package org.mscclj.device.kernels.plan;

import org.mscclj.plan.BufferType;

/**
 * The range of chunks of an operand.
 *
 * @param rank rank that owns the memory
 * @param buffer buffer of that rank
 * @param index first chunk
 * @param size number of chunks
 */
record OperandRange(int rank, BufferType buffer, int index, int size) {}
