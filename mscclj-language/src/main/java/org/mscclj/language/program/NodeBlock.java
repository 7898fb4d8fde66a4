package org.mscclj.language.program;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.language.Chunk;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.SyncType;

/**
 * A thread block of a two-level program: the position of its rank, and its channels to peers of its node and to
 * <em>rails</em>, the ranks of other nodes with the same number within their node.
 *
 * <p>The data from rail to rail is one message for any number of blocks: the blocks take rails in turn, and all blocks
 * of a rank synchronise between their shares of the work and the messages.
 */
final class NodeBlock {
    /** Most operands of a reduction. Kernels of GPUs take up to 62, and there may be more nodes. */
    static final int MOST_OPERANDS = 32;

    private final RankBlock block;
    private final int nodes;
    private final int ranksPerNode;
    private final int blocks;

    NodeBlock(RankBlock block, ProgramSpec spec) {
        this.block = block;
        this.nodes = spec.nodes();
        this.ranksPerNode = spec.ranksPerNode();
        this.blocks = spec.blocks();
    }

    /** The block as a block of its rank. */
    RankBlock onRank() {
        return block;
    }

    int nodes() {
        return nodes;
    }

    int ranksPerNode() {
        return ranksPerNode;
    }

    int node() {
        return block.rank() / ranksPerNode;
    }

    /** The rank's number within its node. */
    int local() {
        return block.rank() % ranksPerNode;
    }

    /** The peer with a number within this node. */
    int peer(int local) {
        return node() * ranksPerNode + local;
    }

    int rail(int node) {
        return node * ranksPerNode + local();
    }

    /** The node of the root. */
    int rootNode() {
        return block.root() / ranksPerNode;
    }

    /** Numbers of the other ranks within this node, beginning after this rank. */
    List<Integer> otherLocals() {
        return others(local(), ranksPerNode);
    }

    /** The other ranks of this node, beginning after this rank. */
    List<Integer> peers() {
        return otherLocals().stream().map(this::peer).toList();
    }

    /** The other nodes, beginning after this one, so that not all ranks send to one node at once. */
    List<Integer> otherNodes() {
        return others(node(), nodes);
    }

    private static List<Integer> others(int self, int all) {
        return IntStream.range(1, all)
                .mapToObj(distance -> (self + distance) % all)
                .toList();
    }

    MemoryChannel memory(int local) {
        return block.memory(peer(local));
    }

    /** Several slots of this rank's scratch. */
    Chunk slots(int first, int count) {
        return range(block.scratch(first), count);
    }

    /** Several slots of the scratch of a peer of this node. */
    Chunk slotsOf(int local, int first, int count) {
        return range(block.scratchOf(peer(local), first), count);
    }

    /** A range that begins with a chunk. */
    static Chunk range(Chunk first, int count) {
        return first.resized(count);
    }

    /**
     * Reduces in the order of the list, by several operations if there are many sources; with one source this is a
     * copy.
     */
    void reduce(List<Chunk> sources, Chunk destination) {
        if (sources.size() == 1) {
            block.copy(destination, sources.getFirst());
            return;
        }
        List<Chunk> rest = sources;
        while (rest.size() > MOST_OPERANDS) {
            block.reduce(rest.subList(0, MOST_OPERANDS), destination);
            rest = Stream.concat(Stream.of(destination), rest.subList(MOST_OPERANDS, rest.size()).stream())
                    .toList();
        }
        block.reduce(rest, destination);
    }

    /**
     * Sums a part of the input over the node, a different part on each rank. A part has {@code chunks} chunks.
     * Contributions of each peer arrive in that many slots, by number of the peer, and the sum goes into the slots
     * after these. It is visible to all blocks afterwards.
     */
    void sumOverNode(int chunks) {
        for (int local : otherLocals()) {
            Chunk slots = slotsOf(local, local() * chunks, chunks);
            memory(local).put(slots, range(block.input(local * chunks), chunks), block.share());
        }
        block.exchangeSignals(peers());
        List<Chunk> contributions = IntStream.range(0, ranksPerNode)
                .mapToObj(local ->
                        local == local() ? range(block.input(local * chunks), chunks) : slots(local * chunks, chunks))
                .toList();
        reduce(contributions, slots(ranksPerNode * chunks, chunks));
        syncBlocks();
    }

    /** Synchronises all blocks of the rank. */
    void syncBlocks() {
        block.self().barrier(block.share());
    }

    /**
     * Sends slots of this rank to the rail on a node, with a signal. All blocks must have acquired the content before.
     */
    void send(int node, int to, Chunk from) {
        if (talksTo(node)) {
            Chunk destination = range(block.scratchOf(rail(node), to), from.size());
            block.port(rail(node)).putWithSignal(destination, from, block.id());
        }
    }

    /** Signals the rail on a node that this rank has launched. */
    void signal(int node) {
        if (talksTo(node)) {
            block.port(rail(node)).signal(block.id(), SyncType.NONE);
        }
    }

    /** Waits for a message or a signal of the rail on each node. Their data is visible to all blocks afterwards. */
    void await(List<Integer> ofNodes) {
        for (int node : ofNodes) {
            if (talksTo(node)) {
                block.port(rail(node)).await(block.id(), SyncType.NONE);
            }
        }
        syncBlocks();
    }

    private boolean talksTo(int node) {
        return (Math.floorMod(node - node(), nodes) - 1) % blocks == block.id();
    }
}
