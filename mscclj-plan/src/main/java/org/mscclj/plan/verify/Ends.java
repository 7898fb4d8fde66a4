package org.mscclj.plan.verify;

import org.mscclj.plan.ChannelType;

/**
 * A thread block's memory or port channels, by their numbers in the block: what it waits for there, and what its
 * signals raise.
 */
final class Ends {
    private final ChannelType type;
    private final int[] channels;
    private final Counter[] awaited;
    private final Counter[] raised;
    private final Agent[] signallers;

    /**
     * The channels of a block.
     *
     * @param channels for each, its id on the rank
     * @param awaited for each, the counter on which the block waits
     * @param raised for each, the counter that a signal raises
     * @param signallers for each, who signals: the block itself, or the proxy of a port channel
     */
    Ends(ChannelType type, int[] channels, Counter[] awaited, Counter[] raised, Agent[] signallers) {
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
