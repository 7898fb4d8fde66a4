package org.mscclj.device.kernels.plan;

import org.mscclj.plan.BufferType;

/**
 * Where an operand lies.
 *
 * @param rank whose memory
 * @param buffer which buffer
 * @param index first chunk
 * @param size number of chunks
 */
record Place(int rank, BufferType buffer, int index, int size) {}
