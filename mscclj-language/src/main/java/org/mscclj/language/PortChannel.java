package org.mscclj.language;

import org.mscclj.plan.DataKind;

/**
 * A rank's channel to a peer over which a proxy moves data, within a node or between nodes. Puts are asynchronous:
 * their source is in use until a flush or the end of the launch, and their data is visible to a block that waits for a
 * later signal of the channel.
 */
public final class PortChannel {
    private final ChannelEnd end;

    PortChannel(ChannelEnd end) {
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

    /** Signals the peer after all earlier puts over this channel. */
    public void signal(int block) {
        signal(block, SyncType.BOTH);
    }

    /** Like {@link #signal(int)}, with the given synchronisation of the block's threads. */
    public void signal(int block, SyncType sync) {
        end.signal(block, false, sync);
    }

    /** Waits for the peer's next signal and acquires the puts before it. */
    public void await(int block) {
        await(block, SyncType.BOTH);
    }

    /** Like {@link #await(int)}, with the given synchronisation of the block's threads. */
    public void await(int block, SyncType sync) {
        end.await(block, false, sync);
    }

    /** Waits until all puts over this channel have read their sources. */
    public void flush(int block) {
        flush(block, SyncType.BOTH);
    }

    /** Like {@link #flush(int)}, with the given synchronisation of the block's threads. */
    public void flush(int block, SyncType sync) {
        end.flush(block, sync);
    }

    /** Copies a chunk of this rank to a chunk of the peer. */
    public void put(Chunk destination, Chunk source, int block) {
        put(destination, source, end.alone(block));
    }

    /** Like {@link #put(Chunk, Chunk, int)}, executed by a group. */
    public void put(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("put", DataKind.PUT, destination, source, group);
    }

    /** {@link #put(Chunk, Chunk, int)}, followed by a signal. */
    public void putWithSignal(Chunk destination, Chunk source, int block) {
        putWithSignal(destination, source, end.alone(block));
    }

    /** Like {@link #putWithSignal(Chunk, Chunk, int)}, executed by a group; each block signals. */
    public void putWithSignal(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("putWithSignal", DataKind.PUT_WITH_SIGNAL, destination, source, group);
    }

    /** {@link #putWithSignal(Chunk, Chunk, int)}, followed by a flush. */
    public void putWithSignalAndFlush(Chunk destination, Chunk source, int block) {
        putWithSignalAndFlush(destination, source, end.alone(block));
    }

    /** Like {@link #putWithSignalAndFlush(Chunk, Chunk, int)}, executed by a group; each block signals. */
    public void putWithSignalAndFlush(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("putWithSignalAndFlush", DataKind.PUT_WITH_SIGNAL_AND_FLUSH, destination, source, group);
    }

    /** Copies packets from this rank's scratch into the peer's scratch. */
    public void putPackets(Chunk destination, Chunk source, int block) {
        putPackets(destination, source, end.alone(block));
    }

    /** Like {@link #putPackets(Chunk, Chunk, int)}, executed by a group. */
    public void putPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("putPackets", DataKind.PUT_PACKETS, destination, source, group);
    }

    /** Waits for packets in this rank's scratch, and copies them into the peer's scratch. */
    public void readPutPackets(Chunk destination, Chunk source, int block) {
        readPutPackets(destination, source, end.alone(block));
    }

    /** Like {@link #readPutPackets(Chunk, Chunk, int)}, executed by a group. */
    public void readPutPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        end.put("readPutPackets", DataKind.READ_PUT_PACKETS, destination, source, group);
    }
}
