package org.mscclj.language.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.language.Buffer;
import org.mscclj.language.Chunk;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.PortChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.Rank;
import org.mscclj.language.SyncType;
import org.mscclj.language.ThreadBlockGroup;

/**
 * One thread block of a program under construction, with its rank. It handles its share of every range, and has its own
 * channel to each peer, which is declared at first use. All ranks record their blocks in the same order, so equal
 * blocks of two ranks are partners.
 */
final class RankBlock {
    /** Records the operations of one thread block of a rank. */
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
     * Creates a block without operations.
     *
     * @param scratch scratch of all ranks
     * @param group blocks of the rank that divide every range
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

    /** Whether operations keep the limits of MSCCL++'s executor. */
    boolean isBounded() {
        return spec.bounded();
    }

    /** The block's number on its rank. */
    int id() {
        return block;
    }

    /** The block's share of every range. */
    ThreadBlockGroup share() {
        return share;
    }

    /** The other ranks, beginning after this one, so that not all ranks access one peer at once. */
    List<Integer> peers() {
        return IntStream.range(1, ranks())
                .mapToObj(distance -> (rank + distance) % ranks())
                .toList();
    }

    /** The block's memory channel to a peer. */
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

    /** A chunk of the input and the peers' slots of scratch, in rank order. */
    List<Chunk> inRankOrder(int inputChunk) {
        return IntStream.range(0, ranks())
                .mapToObj(from -> from == rank ? input(inputChunk) : scratch(from))
                .toList();
    }

    /** The rank, for operations on its own buffers. */
    Rank self() {
        return program.rank(rank);
    }

    void copy(Chunk destination, Chunk source) {
        self().copy(destination, source, share);
    }

    /** Copies from input to output; in place they share memory, and this records nothing. */
    void keep(int inputChunk, int outputChunk) {
        if (!isInPlace()) {
            copy(output(outputChunk), input(inputChunk));
        }
    }

    /** Reduces chunks of this rank in the order of the list. */
    void reduce(List<Chunk> sources, Chunk destination) {
        self().reduce(sources.getFirst(), sources.subList(1, sources.size()), destination, share);
    }

    /** Synchronises all threads of the block. */
    void nop() {
        self().barrier(List.of(block));
    }

    /**
     * Signals peers through memory channels that this rank has launched, so that they may access its buffers, or that
     * it has completed its reads of theirs.
     */
    void signalReady(List<Integer> peers) {
        nop();
        peers.forEach(peer -> memory(peer).relaxedSignal(block, SyncType.NONE));
    }

    /** Waits for these signals of the peers. */
    void awaitReady(List<Integer> peers) {
        peers.forEach(peer -> memory(peer).relaxedAwait(block, SyncType.NONE));
        nop();
    }

    /** Releases the block's accesses to peers, and acquires theirs. */
    void exchangeSignals(List<Integer> peers) {
        signal(peers);
        await(peers);
    }

    /** Releases the block's accesses to peers. */
    void signal(List<Integer> peers) {
        nop();
        peers.forEach(peer -> memory(peer).signal(block, SyncType.NONE));
    }

    /** Acquires the accesses of the peers. */
    void await(List<Integer> peers) {
        peers.forEach(peer -> memory(peer).await(block, SyncType.NONE));
        nop();
    }
}
