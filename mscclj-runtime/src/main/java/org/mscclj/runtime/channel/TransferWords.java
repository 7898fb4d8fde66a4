package org.mscclj.runtime.channel;

import org.mscclj.spi.proxy.Trigger;

/**
 * The words of the triggers between two memories. Offsets have 64 bits. A trigger carries at most as many bytes as
 * {@link Trigger#fit} returns.
 *
 * @param semaphoreId the id of the channel's semaphore in the proxy
 * @param originId the first memory id of this rank's memory
 * @param targetId the first memory id of the peer's memory
 */
record TransferWords(int semaphoreId, int originId, int targetId) {
    /** Returns the first word of a transfer. */
    long word0(long originOffset, long bytes) {
        return Trigger.word0(bytes, Trigger.windowOffset(originOffset));
    }

    /** Returns the second word of a transfer. */
    long word1(long originOffset, long targetOffset, int type) {
        return Trigger.word1(
                Trigger.windowOffset(targetOffset),
                originId + Trigger.windowIndex(originOffset),
                targetId + Trigger.windowIndex(targetOffset),
                type,
                semaphoreId);
    }

    /** Returns the second word of a trigger that moves no data; its first word is 0. */
    long word1(int type) {
        return Trigger.word1(0, 0, 0, type, semaphoreId);
    }
}
