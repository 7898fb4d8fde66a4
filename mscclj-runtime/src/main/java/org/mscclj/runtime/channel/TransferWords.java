package org.mscclj.runtime.channel;

import org.mscclj.spi.proxy.Trigger;

/**
 * The words of the triggers between two memories, whose offsets have 64 bits. A trigger carries no more than
 * {@link Trigger#fit} says.
 *
 * @param semaphoreId the channel's semaphore in the proxy
 * @param originId first memory id of this rank's memory
 * @param targetId first memory id of the peer's memory
 */
record TransferWords(int semaphoreId, int originId, int targetId) {
    /** First word of a transfer. */
    long word0(long originOffset, long bytes) {
        return Trigger.word0(bytes, Trigger.windowOffset(originOffset));
    }

    /** Second word of a transfer. */
    long word1(long originOffset, long targetOffset, int type) {
        return Trigger.word1(
                Trigger.windowOffset(targetOffset),
                originId + Trigger.windowIndex(originOffset),
                targetId + Trigger.windowIndex(targetOffset),
                type,
                semaphoreId);
    }

    /** Second word of a trigger that moves nothing; its first is 0. */
    long word1(int type) {
        return Trigger.word1(0, 0, 0, type, semaphoreId);
    }
}
