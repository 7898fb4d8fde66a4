package org.mscclj.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;

/**
 * A rank's channel to the mapped memory of a peer, which blocks load and store directly. Data operations take a block,
 * or a group of blocks that divides the work. They may return before other threads of the block have finished, so a
 * signal needs a synchronisation of the threads before it, which it has by default.
 */
public final class MemoryChannel {
    private final ChannelEnd end;

    MemoryChannel(ChannelEnd end) {
        this.end = end;
    }

    /** The rank that uses the channel. */
    public int source() {
        return end.rank();
    }

    /** The peer. */
    public int destination() {
        return end.peer();
    }

    /** Signals the peer. Earlier writes of the block are visible after the peer's wait. */
    public void signal(int block) {
        signal(block, SyncType.BOTH);
    }

    /** Like {@link #signal(int)}, with the given synchronisation of the block's threads. */
    public void signal(int block, SyncType sync) {
        end.signal(block, false, sync);
    }

    /** Signals the peer without a release of writes: orders earlier reads at most. */
    public void relaxedSignal(int block) {
        relaxedSignal(block, SyncType.BOTH);
    }

    /** Like {@link #relaxedSignal(int)}, with the given synchronisation of the block's threads. */
    public void relaxedSignal(int block, SyncType sync) {
        end.signal(block, true, sync);
    }

    /** Waits for the peer's next signal and acquires the writes before it. */
    public void await(int block) {
        await(block, SyncType.BOTH);
    }

    /** Like {@link #await(int)}, with the given synchronisation of the block's threads. */
    public void await(int block, SyncType sync) {
        end.await(block, false, sync);
    }

    /** Waits for the peer's next signal without acquiring the writes before it. */
    public void relaxedAwait(int block) {
        relaxedAwait(block, SyncType.BOTH);
    }

    /** Like {@link #relaxedAwait(int)}, with the given synchronisation of the block's threads. */
    public void relaxedAwait(int block, SyncType sync) {
        end.await(block, true, sync);
    }

    /** Copies a chunk of this rank to a chunk of the peer. */
    public void put(Chunk destination, Chunk source, int block) {
        put(destination, source, end.alone(block));
    }

    /** Like {@link #put(Chunk, Chunk, int)}, executed by a group. */
    public void put(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("put", DataKind.PUT, destination, source, group);
    }

    /** Copies a chunk of the peer to a chunk of this rank. */
    public void get(Chunk destination, Chunk source, int block) {
        get(destination, source, end.alone(block));
    }

    /** Like {@link #get(Chunk, Chunk, int)}, executed by a group. */
    public void get(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.operation("get", group)
                .require(end.rank(), destination)
                .require(end.peer(), source)
                .requireSameSize(destination, source)
                .requirePlain(destination, source)
                .record(
                        DataKind.GET,
                        Optional.of(ChannelType.MEMORY),
                        List.of(end.id()),
                        List.of(end.remote(source)),
                        List.of(destination.local()));
    }

    /** Writes a plain chunk of this rank as packets into the peer's scratch. */
    public void putPackets(Chunk destination, Chunk source, int block) {
        putPackets(destination, source, end.alone(block));
    }

    /** Like {@link #putPackets(Chunk, Chunk, int)}, executed by a group. */
    public void putPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("putPackets", DataKind.PUT_PACKETS, destination, source, group);
    }

    /** Waits for packets in this rank's scratch, and writes them as packets into the peer's scratch. */
    public void readPutPackets(Chunk destination, Chunk source, int block) {
        readPutPackets(destination, source, end.alone(block));
    }

    /** Like {@link #readPutPackets(Chunk, Chunk, int)}, executed by a group. */
    public void readPutPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("readPutPackets", DataKind.READ_PUT_PACKETS, destination, source, group);
    }

    /** Reduces chunks of the peer into a chunk of this rank: {@code local = local + remotes…}, in this order. */
    public void reduce(Chunk local, List<Chunk> remotes, int block) {
        reduce(local, remotes, local, end.alone(block));
    }

    /** Like {@link #reduce(Chunk, List, int)}, executed by a group. */
    public void reduce(Chunk local, List<Chunk> remotes, ThreadBlockGroup group) {
        reduce(local, remotes, local, group);
    }

    /** Reduces chunks of both ranks: {@code destination = local + remotes…}, in this order. */
    public void reduce(Chunk local, List<Chunk> remotes, Chunk destination, int block) {
        reduce(local, remotes, destination, end.alone(block));
    }

    /** Like {@link #reduce(Chunk, List, Chunk, int)}, executed by a group. */
    public void reduce(Chunk local, List<Chunk> remotes, Chunk destination, ThreadBlockGroup group) {
        DataRecorder reduce =
                end.operation("reduce", group).requireSome(remotes).require(end.rank(), local, destination);
        reduce.requirePlain(local, destination)
                .requirePlain(remotes.toArray(Chunk[]::new))
                .requireApart(destination, local);
        List<ChunkRef> sources = new ArrayList<>(List.of(local.local()));
        for (Chunk remote : remotes) {
            reduce.require(end.peer(), remote).requireSameSize(local, remote);
            sources.add(end.remote(remote));
        }
        reduce.record(
                DataKind.READ_REDUCE,
                Optional.of(ChannelType.MEMORY),
                List.of(end.id()),
                sources,
                List.of(destination.local()));
    }
}
