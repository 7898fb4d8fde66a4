package org.mscclj.spi.engine;

/**
 * The registered memory in which a launch's buffers lie, for the ring of a port channel.
 *
 * @param input this rank's input
 * @param output this rank's output
 * @param peerInput the peer's input
 * @param peerOutput the peer's output
 */
public record PortBuffers(Region input, Region output, Region peerInput, Region peerOutput) {

    /**
     * A buffer in registered memory. Memory of more than 4 GiB has consecutive ids, one for each 4 GiB, because offsets
     * in triggers have 32 bits.
     *
     * @param id first memory id of the registered memory; −1 where the plan does not use the buffer
     * @param offset bytes from the start of the registered memory to the start of the buffer
     */
    public record Region(int id, long offset) {
        /** Returns the buffer at an offset from the start of this one, in bytes. */
        public Region at(long bytes) {
            return new Region(id, offset + bytes);
        }
    }
}
