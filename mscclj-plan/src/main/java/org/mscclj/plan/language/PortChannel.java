package org.mscclj.plan.language;

import org.mscclj.plan.DataKind;

/**
 * A rank's channel to a peer over which a proxy moves data, within a node or across nodes. Puts are asynchronous: their source is in use until a
 * flush, or the end of the launch, and what they write is visible to whoever waits for a later signal of the channel.
 */
public final class PortChannel {
    private final ChannelEnd end;

    PortChannel(ChannelEnd end) {
        this.end = end;
    }

    /** The rank that uses it. */
    public int source() {
        return end.rank();
    }

    /** The peer. */
    public int destination() {
        return end.peer();
    }

    /** Tells the peer, after everything that was put over this channel. */
    public void signal(int block) {
        signal(block, SyncType.BOTH);
    }

    /** Like {@link #signal(int)}, with meetings of the block's threads as told. */
    public void signal(int block, SyncType sync) {
        end.signal(block, false, sync);
    }

    /** Waits for the peer's next signal, and sees what it has put before. */
    public void await(int block) {
        await(block, SyncType.BOTH);
    }

    /** Like {@link #await(int)}, with meetings of the block's threads as told. */
    public void await(int block, SyncType sync) {
        end.await(block, false, sync);
    }

    /** Waits until everything put over this channel has left its source. */
    public void flush(int block) {
        flush(block, SyncType.BOTH);
    }

    /** Like {@link #flush(int)}, with meetings of the block's threads as told. */
    public void flush(int block, SyncType sync) {
        end.flush(block, sync);
    }

    /** Copies a chunk of this rank into a chunk of the peer. */
    public void put(Chunk destination, Chunk source, int block) {
        put("put", DataKind.PUT, destination, source, block);
    }

    /** {@link #put(Chunk, Chunk, int)}, and a signal after it. */
    public void putWithSignal(Chunk destination, Chunk source, int block) {
        put("putWithSignal", DataKind.PUT_WITH_SIGNAL, destination, source, block);
    }

    /** {@link #putWithSignal(Chunk, Chunk, int)}, and a flush after it. */
    public void putWithSignalAndFlush(Chunk destination, Chunk source, int block) {
        put("putWithSignalAndFlush", DataKind.PUT_WITH_SIGNAL_AND_FLUSH, destination, source, block);
    }

    /** Copies packets, which the source already is, into the peer's scratch. */
    public void putPackets(Chunk destination, Chunk source, int block) {
        put("putPackets", DataKind.PUT_PACKETS, destination, source, block);
    }

    /** Waits for packets in this rank's scratch, and copies them into the peer's scratch. */
    public void readPutPackets(Chunk destination, Chunk source, int block) {
        put("readPutPackets", DataKind.READ_PUT_PACKETS, destination, source, block);
    }

    private void put(String name, DataKind kind, Chunk destination, Chunk source, int block) {
        end.put(name, kind, destination, source, end.alone(block));
    }
}
