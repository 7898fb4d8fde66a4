package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.TriggerFifo;

/**
 * The parts of a port channel that kernels use and that the application sets up. The proxy that drains the ring defines
 * the ids.
 *
 * @param fifo the ring, into which the device pushes
 * @param semaphoreId the channel's semaphore in triggers
 * @param originId first memory id of this rank's memory
 * @param originBytes its size, in bytes
 * @param targetId first memory id of the peer's memory
 * @param targetBytes its size, in bytes
 * @param counter this rank's inbound counter: 8 bytes, which the peer raises
 * @param awaited the number of its signals that have been waited for already
 * @param abort the communicator's abort word, which ends waits for this rank's proxy
 * @param peerEnd ends waits for signals of the peer; see {@link MemoryChannelSpec#peerEnd}
 */
public record PortChannelSpec(
        TriggerFifo fifo,
        int semaphoreId,
        int originId,
        long originBytes,
        int targetId,
        long targetBytes,
        DeviceBuffer counter,
        long awaited,
        AbortFlag abort,
        AbortFlag peerEnd) {}
