package org.mscclj.plan.program;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.plan.language.Chunk;
import org.mscclj.plan.language.MemoryChannel;
import org.mscclj.plan.language.SyncType;

/**
 * A thread block in a program of two levels: where its rank is, and how it talks to peers of its node and to
 * <em>rails</em>, the ranks of other nodes that have the same number within theirs.
 *
 * <p>What goes from rail to rail is one message, whatever the number of blocks: the blocks take rails by turns, and all
 * of a rank's blocks meet between their shares of the work and the messages.
 */
final class NodeBlock {
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

    /** The block as one of its rank. */
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

    /** The peer of this node with that number within it. */
    int peer(int local) {
        return node() * ranksPerNode + local;
    }

    int rail(int node) {
        return node * ranksPerNode + local();
    }

    /** The root's node. */
    int rootNode() {
        return block.root() / ranksPerNode;
    }

    /** Numbers of the other ranks within this node, from the next one on. */
    List<Integer> otherLocals() {
        return others(local(), ranksPerNode);
    }

    /** The other ranks of this node, from the next one on. */
    List<Integer> peers() {
        return otherLocals().stream().map(this::peer).toList();
    }

    /** The other nodes, from the next one on, so that not all crowd upon one. */
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

    /** Reduces in the order of the list; of one chunk that is a copy. */
    void reduce(List<Chunk> sources, Chunk destination) {
        if (sources.size() == 1) {
            block.copy(destination, sources.getFirst());
        } else {
            block.reduce(sources, destination);
        }
    }

    /**
     * Sums a part of the input over the node, each rank another one, of so many chunks. Contributions come into as many
     * slots for each peer, by their numbers, and the sum goes into the slots after these. All blocks know of it
     * afterwards.
     */
    void sumOverNode(int chunks) {
        for (int local : otherLocals()) {
            Chunk slots = slotsOf(local, local() * chunks, chunks);
            memory(local).put(slots, range(block.input(local * chunks), chunks), block.share());
        }
        block.meet(peers());
        List<Chunk> contributions = IntStream.range(0, ranksPerNode)
                .mapToObj(local ->
                        local == local() ? range(block.input(local * chunks), chunks) : slots(local * chunks, chunks))
                .toList();
        reduce(contributions, slots(ranksPerNode * chunks, chunks));
        meetBlocks();
    }

    /** All blocks of the rank meet. */
    void meetBlocks() {
        block.self().barrier(block.share());
    }

    /** Sends slots of this rank to the rail on a node, and tells it so. What is in them must be known to all blocks. */
    void send(int node, int to, Chunk from) {
        if (talksTo(node)) {
            Chunk destination = range(block.scratchOf(rail(node), to), from.size());
            block.port(rail(node)).putWithSignal(destination, from, block.id());
        }
    }

    /** Tells the rail on a node that this rank has launched. */
    void signal(int node) {
        if (talksTo(node)) {
            block.port(rail(node)).signal(block.id(), SyncType.NONE);
        }
    }

    /** Waits for a message, or a signal, from the rail on each node. All blocks know of them afterwards. */
    void await(List<Integer> ofNodes) {
        for (int node : ofNodes) {
            if (talksTo(node)) {
                block.port(rail(node)).await(block.id(), SyncType.NONE);
            }
        }
        meetBlocks();
    }

    private boolean talksTo(int node) {
        return (Math.floorMod(node - node(), nodes) - 1) % blocks == block.id();
    }
}
