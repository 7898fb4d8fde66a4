package org.mscclj.analysis.verify.machine;

import org.mscclj.plan.ChannelType;

/**
 * A thread block's ends of its memory or port channels, by channel number in the block: the counter on which the block
 * waits, and the counter that its signals raise.
 */
final class ChannelEnds {
    private final ChannelType type;
    private final int[] channels;
    private final Counter[] awaited;
    private final Counter[] raised;
    private final Agent[] signallers;

    /**
     * Creates the channel ends of a block.
     *
     * @param channels for each channel, its id on the rank
     * @param awaited for each channel, the counter on which the block waits
     * @param raised for each channel, the counter that a signal raises
     * @param signallers for each channel, the agent that signals: the block itself, or the proxy of a port channel
     */
    ChannelEnds(ChannelType type, int[] channels, Counter[] awaited, Counter[] raised, Agent[] signallers) {
        this.type = type;
        this.channels = channels;
        this.awaited = awaited;
        this.raised = raised;
        this.signallers = signallers;
    }

    ChannelType type() {
        return type;
    }

    int channel(int id) {
        return channels[id];
    }

    Counter awaited(int id) {
        return awaited[id];
    }

    Counter raised(int id) {
        return raised[id];
    }

    Agent signaller(int id) {
        return signallers[id];
    }
}
