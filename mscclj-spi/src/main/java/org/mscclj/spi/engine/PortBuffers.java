package org.mscclj.spi.engine;

/**
 * The memory ids of a launch's buffers in the ring of a port channel; −1 where the plan does not use that buffer there.
 * A buffer of more than 4 GiB has consecutive ids, one for each 4 GiB, because offsets in triggers have 32 bits.
 *
 * @param input first id of this rank's input
 * @param output first id of this rank's output
 * @param peerInput first id of the peer's input
 * @param peerOutput first id of the peer's output
 */
public record PortBuffers(int input, int output, int peerInput, int peerOutput) {}
