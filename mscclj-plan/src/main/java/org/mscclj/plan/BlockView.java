package org.mscclj.plan;

/**
 * Resolves a block's ids of channels and buffers in its rank.
 *
 * @param rank the rank
 * @param block a block of that rank
 */
public record BlockView(RankPlan rank, ThreadBlock block) {
    /** The rank's channel for an id of the block. */
    public int channel(ChannelType type, int id) {
        return block.channels(type).get(id);
    }

    /** The peer of a channel of the block. */
    public int peer(ChannelType type, int id) {
        return rank.channelPeers(type).get(channel(type, id));
    }

    /** The buffer of a remote operand of an operation. */
    public RemoteBuffer remote(ChunkRef.Remote reference, Operation.Data data) {
        ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
        return rank.remoteBuffers().get(block.remoteBuffers(type).get(reference.bufferId()));
    }

    /** The group of a multicast operand. */
    public SwitchGroup group(ChunkRef.Multicast reference) {
        return rank.switchGroups().get(block.switchChannels().get(reference.switchChannelId()));
    }
}
