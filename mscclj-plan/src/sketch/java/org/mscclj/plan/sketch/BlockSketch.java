package org.mscclj.plan.sketch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;

/**
 * A thread block under construction. Its first signal to a peer, or wait for it, declares a channel; blocks of
 * different ranks are partners if the ranks add their blocks in the same order.
 */
public final class BlockSketch {
    private final PlanSketch.RankSketch rank;
    private final int id;
    private final BlockShare share;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Integer> memoryChannels = new ArrayList<>();
    private final List<Integer> portChannels = new ArrayList<>();
    private final List<Integer> switchChannels = new ArrayList<>();
    private final List<Integer> memoryBuffers = new ArrayList<>();
    private final List<Integer> portBuffers = new ArrayList<>();

    BlockSketch(PlanSketch.RankSketch rank, int id, BlockShare share) {
        this.rank = rank;
        this.id = id;
        this.share = share;
    }

    /** The block so far. */
    public ThreadBlock build() {
        return new ThreadBlock(
                id, operations, memoryChannels, portChannels, switchChannels, memoryBuffers, portBuffers);
    }

    /** Adds any operation. */
    public BlockSketch add(Operation operation) {
        operations.add(operation);
        return this;
    }

    /** Declares channels without operations: MSCCL++ maps the memory of peers of declared channels only. */
    public BlockSketch connect(ChannelType type, int... peers) {
        channels(type, peers);
        return this;
    }

    /** Synchronises all threads. */
    public BlockSketch nop() {
        return add(new Operation.Nop());
    }

    /** Signals peers with a release. */
    public BlockSketch signal(ChannelType type, int... peers) {
        return add(new Operation.Signal(type, channels(type, peers), false));
    }

    /** Waits for peers with an acquire. */
    public BlockSketch await(ChannelType type, int... peers) {
        return add(new Operation.Wait(type, channels(type, peers), false));
    }

    /** Signals peers that this rank has launched: they may access its buffers from now on. */
    public BlockSketch tellReady(ChannelType type, int... peers) {
        return nop().add(new Operation.Signal(type, channels(type, peers), true));
    }

    /** Waits until peers have launched. */
    public BlockSketch awaitReady(ChannelType type, int... peers) {
        return add(new Operation.Wait(type, channels(type, peers), true)).nop();
    }

    /** Releases the block's accesses to peers, and acquires theirs. */
    public BlockSketch meet(ChannelType type, int... peers) {
        return nop().signal(type, peers).await(type, peers).nop();
    }

    /** Signals peers that this rank has completed its reads, and waits for their signals. */
    public BlockSketch syncAfterReading(ChannelType type, int... peers) {
        return tellReady(type, peers).awaitReady(type, peers);
    }

    /** Waits until all puts to peers have read their sources. */
    public BlockSketch flush(int... peers) {
        return add(new Operation.Flush(ChannelType.PORT, channels(ChannelType.PORT, peers)));
    }

    /** An operation on this rank's buffers only. */
    public BlockSketch local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return data(kind, Optional.empty(), List.of(), sources, destinations);
    }

    /** An operation through memory or switch channels. */
    public BlockSketch remote(DataKind kind, ChannelType type, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return data(kind, Optional.of(type), List.of(), sources, destinations);
    }

    /** An operation through the port channel to {@code peer}. */
    public BlockSketch port(DataKind kind, int peer, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return data(kind, Optional.of(ChannelType.PORT), channels(ChannelType.PORT, peer), sources, destinations);
    }

    private BlockSketch data(
            DataKind kind,
            Optional<ChannelType> type,
            List<Integer> channelIds,
            List<ChunkRef> sources,
            List<ChunkRef> destinations) {
        // No reduce operation is fixed: the caller chooses it.
        return add(new Operation.Data(kind, type, channelIds, sources, destinations, share, Optional.empty()));
    }

    /** Chunks of the peer's buffer. */
    public ChunkRef of(int peer, BufferType buffer, ChannelType type, int index, int size) {
        return new ChunkRef.Remote(
                idIn(type == ChannelType.PORT ? portBuffers : memoryBuffers, rank.remoteBuffer(peer, buffer, type)),
                index,
                size);
    }

    /** Chunks of all members of a group of the block. */
    public ChunkRef ofAll(BufferType buffer, List<Integer> members, int index, int size) {
        if (switchChannels.isEmpty()) {
            switchChannels.add(rank.groups.size());
            rank.groups.add(new SwitchGroup(buffer, members));
        }
        return new ChunkRef.Multicast(0, index, size);
    }

    private List<Integer> channels(ChannelType type, int... peers) {
        return Arrays.stream(peers).mapToObj(peer -> channel(type, peer)).toList();
    }

    private int channel(ChannelType type, int peer) {
        boolean port = type == ChannelType.PORT;
        List<Integer> own = port ? portChannels : memoryChannels;
        List<Integer> peers = port ? rank.portPeers : rank.memoryPeers;
        for (int i = 0; i < own.size(); i++) {
            if (peers.get(own.get(i)) == peer) {
                return i;
            }
        }
        peers.add(peer);
        own.add(peers.size() - 1);
        return own.size() - 1;
    }

    private static int idIn(List<Integer> list, int value) {
        if (!list.contains(value)) {
            list.add(value);
        }
        return list.indexOf(value);
    }
}
