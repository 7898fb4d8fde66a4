package org.mscclj.plan.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.language.Buffer;
import org.mscclj.plan.language.Chunk;
import org.mscclj.plan.language.MemoryChannel;
import org.mscclj.plan.language.PortChannel;
import org.mscclj.plan.language.ProgramBuilder;
import org.mscclj.plan.language.Rank;
import org.mscclj.plan.language.SyncType;
import org.mscclj.plan.language.ThreadBlockGroup;

/**
 * One thread block of a program in the making, and the rank that it belongs to. It takes its share of every range, and
 * has a channel of its own to each peer, declared when it is first used: as all ranks have their blocks in the same
 * order, equal blocks of two ranks talk to each other.
 */
final class RankBlock {
    /** What one thread block of a rank does. */
    @FunctionalInterface
    interface Writer {
        void write(RankBlock block);
    }

    private final ProgramSpec spec;
    private final ProgramBuilder program;
    private final List<Buffer> scratch;
    private final int rank;
    private final int block;
    private final ThreadBlockGroup share;
    private final Map<Integer, MemoryChannel> memory = new HashMap<>();
    private final Map<Integer, PortChannel> ports = new HashMap<>();

    /**
     * A block without operations.
     *
     * @param scratch of all ranks
     * @param group the blocks of the rank among which every range is shared
     */
    RankBlock(
            ProgramSpec spec,
            ProgramBuilder program,
            List<Buffer> scratch,
            int rank,
            int block,
            ThreadBlockGroup group) {
        this.spec = spec;
        this.program = program;
        this.scratch = scratch;
        this.rank = rank;
        this.block = block;
        this.share = group.member(block);
    }

    int rank() {
        return rank;
    }

    int ranks() {
        return spec.ranks();
    }

    int root() {
        return spec.root();
    }

    boolean isRoot() {
        return rank == root();
    }

    boolean isInPlace() {
        return spec.inPlace();
    }

    /** The block's number on its rank. */
    int id() {
        return block;
    }

    /** What the block handles of every range. */
    ThreadBlockGroup share() {
        return share;
    }

    /** The other ranks, from the next one on, so that not all crowd upon one. */
    List<Integer> peers() {
        return IntStream.range(1, ranks())
                .mapToObj(distance -> (rank + distance) % ranks())
                .toList();
    }

    /** The block's channel to the memory of a peer. */
    MemoryChannel memory(int peer) {
        return memory.computeIfAbsent(peer, _ -> program.memoryChannel(peer, rank));
    }

    /** The block's port channel to a peer. */
    PortChannel port(int peer) {
        return ports.computeIfAbsent(peer, _ -> program.portChannel(peer, rank));
    }

    /** A chunk of this rank's input. */
    Chunk input(int chunk) {
        return inputOf(rank, chunk);
    }

    /** A chunk of this rank's output. */
    Chunk output(int chunk) {
        return outputOf(rank, chunk);
    }

    /** A slot of this rank's scratch. */
    Chunk scratch(int slot) {
        return scratchOf(rank, slot);
    }

    Chunk inputOf(int owner, int chunk) {
        return program.rank(owner).input().chunk(chunk);
    }

    Chunk outputOf(int owner, int chunk) {
        return program.rank(owner).output().chunk(chunk);
    }

    Chunk scratchOf(int owner, int slot) {
        return scratch.get(owner).chunk(slot);
    }

    /** A chunk of the input and the peers' slots of scratch, all in rank order. */
    List<Chunk> inRankOrder(int inputChunk) {
        return IntStream.range(0, ranks())
                .mapToObj(from -> from == rank ? input(inputChunk) : scratch(from))
                .toList();
    }

    /** The rank as the language has it, for operations on its own buffers. */
    Rank self() {
        return program.rank(rank);
    }

    void copy(Chunk destination, Chunk source) {
        self().copy(destination, source, share);
    }

    /** Copies from input to output, which is one memory in place. */
    void keep(int inputChunk, int outputChunk) {
        if (!isInPlace()) {
            copy(output(outputChunk), input(inputChunk));
        }
    }

    /** Reduces chunks of this rank in the order of the list. */
    void reduce(List<Chunk> sources, Chunk destination) {
        self().reduce(sources.getFirst(), sources.subList(1, sources.size()), destination, share);
    }

    /** All threads meet. */
    void nop() {
        self().barrier(List.of(block));
    }

    /**
     * Tells peers by memory channels that this rank has launched, so that they may access its buffers; or that it has
     * read what is theirs.
     */
    void tellReady(List<Integer> peers) {
        nop();
        peers.forEach(peer -> memory(peer).relaxedSignal(block, SyncType.NONE));
    }

    /** Waits until peers have told so. */
    void awaitReady(List<Integer> peers) {
        peers.forEach(peer -> memory(peer).relaxedAwait(block, SyncType.NONE));
        nop();
    }

    /** Makes the block's accesses known to peers, and waits until theirs are known here. */
    void meet(List<Integer> peers) {
        signal(peers);
        await(peers);
    }

    /** Makes the block's accesses known to peers. */
    void signal(List<Integer> peers) {
        nop();
        peers.forEach(peer -> memory(peer).signal(block, SyncType.NONE));
    }

    /** Waits until the peers' accesses are known here. */
    void await(List<Integer> peers) {
        peers.forEach(peer -> memory(peer).await(block, SyncType.NONE));
        nop();
    }
}
