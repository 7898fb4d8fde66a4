package org.mscclj.plan;

/**
 * A block's own numbering of channels and buffers, resolved in its rank.
 *
 * @param rank the rank
 * @param block one of its blocks
 */
public record BlockView(RankPlan rank, ThreadBlock block) {
    /** The rank's channel with an id of the block. */
    public int channel(ChannelType type, int id) {
        return block.channels(type).get(id);
    }

    /** The rank that a channel of the block leads to. */
    public int peer(ChannelType type, int id) {
        return rank.channelPeers(type).get(channel(type, id));
    }

    /** The buffer that a remote operand of an operation is in. */
    public RemoteBuffer remote(ChunkRef.Remote reference, Operation.Data data) {
        ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
        return rank.remoteBuffers().get(block.remoteBuffers(type).get(reference.bufferId()));
    }

    /** The group that a multicast operand is in. */
    public SwitchGroup group(ChunkRef.Multicast reference) {
        return rank.switchGroups().get(block.switchChannels().get(reference.switchChannelId()));
    }
}
