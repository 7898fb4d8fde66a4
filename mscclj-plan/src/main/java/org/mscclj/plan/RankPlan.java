package org.mscclj.plan;

import java.util.List;

/**
 * The plan of one rank.
 *
 * @param rank number of the rank: its position in the plan
 * @param inputChunks chunks of the input
 * @param outputChunks chunks of the output
 * @param scratchChunks chunks of scratch
 * @param threadBlocks in the order of their ids
 * @param memoryChannelPeers the peer of each memory channel; a channel's id is its position
 * @param portChannelPeers the peer of each port channel; a channel's id is its position
 * @param switchGroups the group of each switch channel; a channel's id is its position
 * @param remoteBuffers a remote buffer's id is its position
 * @param semaphoreInitialValues the value of each semaphore at the start of every launch
 */
public record RankPlan(
        int rank,
        int inputChunks,
        int outputChunks,
        int scratchChunks,
        List<ThreadBlock> threadBlocks,
        List<Integer> memoryChannelPeers,
        List<Integer> portChannelPeers,
        List<SwitchGroup> switchGroups,
        List<RemoteBuffer> remoteBuffers,
        List<Integer> semaphoreInitialValues) {
    /** Copies the lists. */
    public RankPlan {
        threadBlocks = List.copyOf(threadBlocks);
        memoryChannelPeers = List.copyOf(memoryChannelPeers);
        portChannelPeers = List.copyOf(portChannelPeers);
        switchGroups = List.copyOf(switchGroups);
        remoteBuffers = List.copyOf(remoteBuffers);
        semaphoreInitialValues = List.copyOf(semaphoreInitialValues);
    }

    /** This rank with other blocks. */
    public RankPlan withThreadBlocks(List<ThreadBlock> others) {
        return new RankPlan(
                rank,
                inputChunks,
                outputChunks,
                scratchChunks,
                others,
                memoryChannelPeers,
                portChannelPeers,
                switchGroups,
                remoteBuffers,
                semaphoreInitialValues);
    }

    /** Chunks of the given buffer. */
    public int chunks(BufferType buffer) {
        return switch (buffer) {
            case INPUT -> inputChunks;
            case OUTPUT -> outputChunks;
            case SCRATCH -> scratchChunks;
        };
    }

    /** The peers of the channels of a type; none for switch channels, which have groups. */
    public List<Integer> channelPeers(ChannelType type) {
        return switch (type) {
            case MEMORY -> memoryChannelPeers;
            case PORT -> portChannelPeers;
            case SWITCH -> List.of();
        };
    }
}
