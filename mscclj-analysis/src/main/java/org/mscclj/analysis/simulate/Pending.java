package org.mscclj.analysis.simulate;

/**
 * A condition that a block waits for. The event that meets the condition notifies it, and the condition resumes the
 * block.
 */
sealed interface Pending permits ChannelWait, SemaphoreWait, BarrierWait, PacketWait {
    /** Describes the condition, in words that follow "waits". */
    String describe();
}
