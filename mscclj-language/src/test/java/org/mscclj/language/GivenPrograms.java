package org.mscclj.language;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Protocol;

/** The programs of some plans of MSCCL++'s DSL, in this language. */
final class GivenPrograms {
    private GivenPrograms() {}

    /** Channels between all pairs of ranks, one of each block. */
    private static Map<List<Integer>, MemoryChannel> channels(ProgramBuilder program, int blocks) {
        Map<List<Integer>, MemoryChannel> channels = new HashMap<>();
        for (Rank rank : program.ranks()) {
            for (int block = 0; block < blocks; block++) {
                for (int peer : peers(program, rank)) {
                    channels.put(List.of(peer, rank.id(), block), program.memoryChannel(peer, rank.id()));
                }
            }
        }
        return channels;
    }

    private static List<Integer> peers(ProgramBuilder program, Rank rank) {
        return program.ranks().stream()
                .map(Rank::id)
                .filter(id -> id != rank.id())
                .toList();
    }

    /** Every rank puts its part into the outputs of all others. */
    static CollectiveProgram allGather(String name, long maxMessageSize) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allGather(2, 1, true))
                .messageSizes(0, maxMessageSize)
                .build();
        return CollectiveProgram.define(spec, program -> {
            for (Rank source : program.ranks()) {
                for (int peer : peers(program, source)) {
                    MemoryChannel channel = program.memoryChannel(peer, source.id());
                    channel.relaxedSignal(0);
                    channel.relaxedAwait(0, SyncType.AFTER);
                    channel.put(
                            program.rank(peer).output().chunk(source.id()),
                            source.output().chunk(source.id()),
                            0);
                    channel.signal(0, SyncType.BEFORE);
                    channel.await(0, SyncType.AFTER);
                }
            }
        });
    }

    /** The same with a group of four blocks. */
    static CollectiveProgram allGatherByGroup(String name) {
        AlgoSpec spec =
                AlgoSpec.builder(name, ProgramCollective.allGather(2, 1, true)).build();
        return CollectiveProgram.define(spec, program -> {
            ThreadBlockGroup group = ThreadBlockGroup.first(4);
            for (Rank source : program.ranks()) {
                for (int peer : peers(program, source)) {
                    MemoryChannel channel = program.memoryChannel(peer, source.id());
                    channel.relaxedSignal(0);
                    channel.relaxedAwait(0, SyncType.AFTER);
                    source.barrier(group.blocks());
                    channel.put(
                            program.rank(peer).output().chunk(source.id()),
                            source.output().chunk(source.id()),
                            group);
                    source.barrier(group.blocks());
                    channel.signal(0, SyncType.BEFORE);
                    channel.await(0, SyncType.AFTER);
                }
            }
        });
    }

    /** With packets, and a block for each peer and direction. */
    static CollectiveProgram allGatherPackets(String name, int ranks) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allGather(ranks, 1, true))
                .protocol(Protocol.LL)
                .doubleScratch(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), ranks))
                    .toList();
            for (Rank rank : program.ranks()) {
                for (int distance = 1; distance < ranks; distance++) {
                    int peer = (rank.id() + distance) % ranks;
                    program.memoryChannel(peer, rank.id())
                            .putPackets(
                                    scratch.get(peer).chunk(rank.id()),
                                    rank.output().chunk(rank.id()),
                                    distance - 1);
                    rank.unpackPackets(
                            rank.output().chunk(peer), scratch.get(rank.id()).chunk(peer), ranks + distance - 2);
                }
            }
        });
    }

    /** Each block reduces a chunk over all ranks, and puts the result to all of them. */
    static CollectiveProgram allReduce(String name, int ranks) {
        int blocks = 8;
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allReduce(ranks, blocks, true))
                .build();
        return CollectiveProgram.define(spec, program -> {
            Map<List<Integer>, MemoryChannel> channels = channels(program, blocks);
            for (Rank rank : program.ranks()) {
                for (int block = 0; block < blocks; block++) {
                    int index = rank.id() * blocks + block;
                    List<MemoryChannel> own = new ArrayList<>();
                    for (int peer : peers(program, rank)) {
                        own.add(channels.get(List.of(peer, rank.id(), block)));
                    }
                    for (MemoryChannel channel : own) {
                        channel.relaxedSignal(block);
                    }
                    for (MemoryChannel channel : own) {
                        channel.relaxedAwait(block, SyncType.AFTER);
                    }
                    Chunk chunk = rank.input().chunk(index);
                    for (MemoryChannel channel : own) {
                        Rank peer = program.rank(channel.destination());
                        channel.reduce(chunk, List.of(peer.input().chunk(index)), block);
                    }
                    for (MemoryChannel channel : own) {
                        Rank peer = program.rank(channel.destination());
                        channel.put(peer.input().chunk(index), chunk, block);
                    }
                    for (MemoryChannel channel : own) {
                        channel.signal(block, SyncType.BEFORE);
                    }
                    for (MemoryChannel channel : own) {
                        channel.await(block);
                    }
                }
            }
        });
    }

    /** With packets and one block: contributions to the owner of a chunk, and its result to all ranks. */
    static CollectiveProgram allReduceByOneBlock(String name, int ranks) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allReduce(ranks, 1, true))
                .protocol(Protocol.LL)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), 2 * ranks))
                    .toList();
            Map<List<Integer>, MemoryChannel> channels = channels(program, 1);
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                for (int peer : peers(program, rank)) {
                    channels.get(List.of(peer, id, 0))
                            .putPackets(
                                    scratch.get(peer).chunk(id), rank.input().chunk(peer), 0);
                }
                List<Chunk> contributions = peers(program, rank).stream()
                        .map(scratch.get(id)::chunk)
                        .toList();
                rank.reducePackets(rank.input().chunk(id), contributions, 0);
                for (int peer : peers(program, rank)) {
                    channels.get(List.of(peer, id, 0))
                            .putPackets(
                                    scratch.get(peer).chunk(ranks + id),
                                    rank.input().chunk(id),
                                    0);
                }
                for (int peer : peers(program, rank)) {
                    rank.unpackPackets(rank.input().chunk(peer), scratch.get(id).chunk(ranks + peer), 0);
                }
            }
        });
    }

    /** With packets, a block for each chunk of a rank's part, and without automatic synchronisation. */
    static CollectiveProgram allReducePackets(String name, int ranks) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allReduce(ranks, ranks, true))
                .protocol(Protocol.LL)
                .automaticSync(false)
                .doubleScratch(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), 2 * (ranks - 1) * ranks))
                    .toList();
            Map<List<Integer>, MemoryChannel> channels = channels(program, 1);
            int half = ranks * (ranks - 1);
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                for (int peer : peers(program, rank)) {
                    channels.get(List.of(peer, id, 0))
                            .putPackets(
                                    slice(scratch.get(peer), without(id, peer) * ranks, ranks),
                                    slice(rank.input(), peer * ranks, ranks),
                                    without(peer, id));
                }
                for (int index = 0; index < ranks; index++) {
                    Chunk chunk = rank.input().chunk(id * ranks + index);
                    List<Chunk> contributions = new ArrayList<>();
                    for (int peer : peers(program, rank)) {
                        contributions.add(scratch.get(id).chunk(without(peer, id) * ranks + index));
                    }
                    rank.reducePackets(chunk, contributions, index);
                    for (int peer : peers(program, rank)) {
                        channels.get(List.of(peer, id, 0))
                                .putPackets(
                                        scratch.get(peer).chunk(half + without(id, peer) * ranks + index),
                                        chunk,
                                        index);
                    }
                }
                for (int peer : peers(program, rank)) {
                    rank.unpackPackets(
                            slice(rank.input(), peer * ranks, ranks),
                            slice(scratch.get(id), half + without(peer, id) * ranks, ranks),
                            peer);
                }
            }
        });
    }

    private static Chunk slice(Buffer buffer, int from, int size) {
        return buffer.slice(from, from + size);
    }

    /** The index of a rank among all except one. */
    private static int without(int rank, int left) {
        return rank < left ? rank : rank - 1;
    }

    /**
     * Through a switch: for each rank, it reduces the rank's chunk and stores the result at all members. The last
     * signal is relaxed, and releases nothing.
     */
    static CollectiveProgram allReduceMulticast(AlgoSpec spec) {
        return allReduceMulticast(
                spec, channel -> channel.relaxedSignal(0, SyncType.BEFORE), channel -> channel.relaxedAwait(0));
    }

    /** The same, with a last signal that releases the results. */
    static CollectiveProgram allReduceMulticastReleased(AlgoSpec spec) {
        return allReduceMulticast(
                spec, channel -> channel.signal(0, SyncType.BEFORE), channel -> channel.await(0, SyncType.AFTER));
    }

    private static CollectiveProgram allReduceMulticast(
            AlgoSpec spec, Consumer<MemoryChannel> lastSignal, Consumer<MemoryChannel> lastAwait) {
        return CollectiveProgram.define(spec, program -> {
            List<Integer> all = program.ranks().stream().map(Rank::id).toList();
            SwitchChannel multicast = program.switchChannel(all, BufferType.INPUT);
            Map<List<Integer>, MemoryChannel> channels = channels(program, 1);
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                Chunk chunk = rank.input().chunk(id);
                List<MemoryChannel> own = peers(program, rank).stream()
                        .map(peer -> channels.get(List.of(peer, id, 0)))
                        .toList();
                own.forEach(channel -> channel.relaxedSignal(0));
                own.forEach(channel -> channel.relaxedAwait(0, SyncType.AFTER));
                multicast.atRank(id).reduce(id, 1, chunk, 0);
                multicast.atRank(id).broadcast(chunk, id, 1, 0);
                own.forEach(lastSignal);
                own.forEach(lastAwait);
            }
        });
    }

    /** Through scratch, with a block for each peer. */
    static CollectiveProgram allToAll(String name, int ranks, int instances) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allToAll(ranks, 1, true))
                .instances(instances)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), ranks - 1))
                    .toList();
            Map<List<Integer>, MemoryChannel> channels = channels(program, 1);
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                for (int peer : peers(program, rank)) {
                    MemoryChannel channel = channels.get(List.of(peer, id, 0));
                    int block = without(peer, id);
                    channel.relaxedSignal(block);
                    channel.relaxedAwait(block, SyncType.AFTER);
                    channel.put(
                            scratch.get(peer).chunk(without(id, peer)),
                            rank.input().chunk(peer),
                            block);
                    channel.signal(block, SyncType.BEFORE);
                    channel.await(block, SyncType.AFTER);
                    rank.copy(rank.input().chunk(peer), scratch.get(id).chunk(block), block);
                }
            }
        });
    }

    /** Out of place: one block sends, the other receives. */
    static CollectiveProgram allToAllRing(String name, int ranks) {
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allToAll(ranks, 1, false))
                .instances(16)
                .build();
        return CollectiveProgram.define(spec, program -> {
            Map<List<Integer>, MemoryChannel> channels = channels(program, 2);
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), ranks - 1))
                    .toList();
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                for (int peer : peers(program, rank)) {
                    channels.get(List.of(peer, id, 1)).relaxedSignal(0);
                }
                for (int peer : peers(program, rank)) {
                    channels.get(List.of(peer, id, 1)).relaxedAwait(0, SyncType.AFTER);
                }
                for (int distance = 1; distance < ranks; distance++) {
                    int peer = (id + distance) % ranks;
                    MemoryChannel channel = channels.get(List.of(peer, id, 0));
                    channel.put(
                            scratch.get(peer).chunk(without(id, peer)),
                            rank.input().chunk(peer),
                            0);
                    channel.signal(0, SyncType.BEFORE);
                }
                rank.copy(rank.output().chunk(id), rank.input().chunk(id), 0);
                for (int distance = 1; distance < ranks; distance++) {
                    int peer = (id - distance + ranks) % ranks;
                    channels.get(List.of(peer, id, 0)).await(1, SyncType.AFTER);
                    rank.copy(rank.output().chunk(peer), scratch.get(id).chunk(without(peer, id)), 1);
                }
            }
        });
    }

    /** In units of 1 MiB: one block copies into scratch, one lets the switch reduce it, one copies the result out. */
    static CollectiveProgram allReducePipeline(String name) {
        int ranks = 2;
        AlgoSpec spec = AlgoSpec.builder(name, ProgramCollective.allReduce(ranks, 1, true))
                .reuseResources(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
            SwitchChannel multicast = program.switchChannel(List.of(0, 1), BufferType.SCRATCH);
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), ranks))
                    .toList();
            for (Rank rank : program.ranks()) {
                int id = rank.id();
                MemoryChannel copied = program.memoryChannel(1 - id, id);
                MemoryChannel reduced = program.memoryChannel(1 - id, id);
                Semaphore mayReduce = program.semaphore(id, 0);
                Semaphore mayCopy = program.semaphore(id, 0);
                program.pipeline(1 << 20, 1, () -> {
                    for (int chunk = 0; chunk < ranks; chunk++) {
                        rank.copy(scratch.get(id).chunk(chunk), rank.input().chunk(chunk), 0);
                    }
                    copied.signal(0, SyncType.BEFORE);
                    copied.await(0, SyncType.AFTER);
                    mayReduce.release(0);
                    mayReduce.acquire(1, SyncType.AFTER);
                    Chunk own = scratch.get(id).chunk(id);
                    multicast.atRank(id).reduce(id, 1, own, 1);
                    multicast.atRank(id).broadcast(own, id, 1, 1);
                    reduced.signal(1, SyncType.BEFORE);
                    mayCopy.release(1);
                    mayCopy.acquire(2);
                    reduced.await(2, SyncType.AFTER);
                    for (int chunk = 0; chunk < ranks; chunk++) {
                        rank.copy(rank.output().chunk(chunk), scratch.get(id).chunk(chunk), 2);
                    }
                });
            }
        });
    }
}
