package org.mscclj.language;

import java.util.List;
import java.util.Optional;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * One end of a memory or port channel: a rank's connection to a peer.
 *
 * @param program the program under construction
 * @param type the type of channel
 * @param rank rank that owns this end
 * @param peer rank at the other end
 * @param id id of the channel among the rank's channels of its type
 * @param number index of the channel among those to this peer, which identifies its partner
 */
record ChannelEnd(ProgramBuilder program, ChannelType type, int rank, int peer, int id, int number) {
    static ChannelEnd open(ProgramBuilder program, ChannelType type, RankRecord record, int rank, int peer) {
        int number = record.channels(type, peer);
        int id = record.addChannel(type, peer);
        return new ChannelEnd(program, type, rank, peer, id, number);
    }

    void signal(int block, boolean relaxed, SyncType sync) {
        program.recorder().add(rank, block, new Operation.Signal(type, List.of(id), relaxed), sync);
        program.recorder().signalled(this, block);
    }

    void await(int block, boolean relaxed, SyncType sync) {
        program.recorder().add(rank, block, new Operation.Wait(type, List.of(id), relaxed), sync);
        program.recorder().awaited(this, block);
    }

    void flush(int block, SyncType sync) {
        program.recorder().add(rank, block, new Operation.Flush(type, List.of(id)), sync);
    }

    ThreadBlockGroup alone(int block) {
        return program.alone(rank, block);
    }

    DataRecorder operation(String name, ThreadBlockGroup group) {
        return new DataRecorder(program.recorder(), rank, group, () -> name + " to rank " + peer);
    }

    /** Records a put of any kind. */
    void put(String name, DataKind kind, Chunk destination, Chunk source, ThreadBlockGroup group) {
        DataRecorder put = operation(name, group)
                .require(peer, destination)
                .require(rank, source)
                .requireSameSize(destination, source);
        boolean sourceIsPackets =
                kind == DataKind.READ_PUT_PACKETS || (kind == DataKind.PUT_PACKETS && type == ChannelType.PORT);
        put.requireForm(kind.packets(), destination).requireForm(sourceIsPackets, source);
        put.record(kind, Optional.of(type), List.of(id), List.of(source.local()), List.of(remote(destination)));
        if (kind == DataKind.PUT_WITH_SIGNAL || kind == DataKind.PUT_WITH_SIGNAL_AND_FLUSH) {
            for (int block : group.working()) {
                program.recorder().signalled(this, block);
            }
        }
    }

    ChunkRef.Remote remote(Chunk chunk) {
        return new ChunkRef.Remote(
                program.recorder().rank(rank).remoteBuffer(peer, chunk.buffer(), type), chunk.index(), chunk.size());
    }
}
