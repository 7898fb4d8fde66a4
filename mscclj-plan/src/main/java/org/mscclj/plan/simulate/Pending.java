package org.mscclj.plan.simulate;

/** What a block waits for. Whoever brings it about tells it, and it lets the block go on. */
sealed interface Pending permits ChannelWait, SemaphoreWait, BarrierWait, PacketWait {
    /** In words that follow "waits". */
    String describe();
}
