package org.mscclj.spi.engine;

import org.mscclj.spi.proxy.TriggerFifo;

/**
 * The binding of a port channel to its proxy.
 *
 * @param fifo the ring that the proxy drains
 * @param semaphoreId the channel's semaphore in triggers: it names the connection and the peer's counter
 * @param scratchId first memory id of this rank's scratch in that ring; −1 if it has none
 * @param peerScratchId first memory id of the peer's scratch in that ring; −1 if it has none
 */
public record PortBinding(TriggerFifo fifo, int semaphoreId, int scratchId, int peerScratchId) {}
