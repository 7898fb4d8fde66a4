package org.mscclj.language.program;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.language.Chunk;

/**
 * A broadcast on two levels: each rank of the root's node sends one part of the buffer to its rails, and the ranks of
 * each node read each other's parts. Every network card sends, and none sends more than one part at a time.
 *
 * <p>Between nodes, a part follows a binomial tree that starts at the root's node: a node with the part sends it to the
 * nodes at distances 1, 2, 4, …
 *
 * <p>No data comes back. Therefore a receiver signals that it and all ranks that read from it have launched: data that
 * they read in the launch before may then be overwritten in the next.
 */
final class TwoLevelBroadcast {
    private final NodeBlock block;
    private final int rootLocal;

    private TwoLevelBroadcast(NodeBlock block) {
        this.block = block;
        this.rootLocal = block.onRank().root() % block.ranksPerNode();
    }

    static void broadcast(NodeBlock block) {
        TwoLevelBroadcast broadcast = new TwoLevelBroadcast(block);
        if (block.onRank().isRoot()) {
            broadcast.fromRoot();
        } else if (block.node() == block.rootNode()) {
            broadcast.besideRoot();
        } else {
            broadcast.elsewhere();
        }
    }

    private void fromRoot() {
        RankBlock rank = block.onRank();
        Chunk whole = whole(rank.input(0));
        rank.copy(block.slots(0, block.ranksPerNode()), whole);
        block.syncBlocks();
        send();
        rank.signal(block.peers());
        if (!rank.isInPlace()) {
            rank.copy(whole(rank.output(0)), whole);
        }
        rank.awaitReady(block.peers());
        block.await(children());
    }

    private void besideRoot() {
        RankBlock rank = block.onRank();
        List<Integer> root = List.of(rank.root());
        rank.signalReady(root);
        rank.await(root);
        block.memory(rootLocal).get(ownPart(), block.slotsOf(rootLocal, block.local(), 1), rank.share());
        block.syncBlocks();
        send();
        block.memory(rootLocal)
                .get(whole(rank.output(0)), block.slotsOf(rootLocal, 0, block.ranksPerNode()), rank.share());
        block.await(children());
    }

    private void elsewhere() {
        RankBlock rank = block.onRank();
        rank.signalReady(block.peers());
        rank.awaitReady(block.peers());
        block.syncBlocks();
        block.signal(parent());
        block.await(List.of(parent()));
        send();
        rank.exchangeSignals(block.peers());
        rank.copy(rank.output(block.local()), ownPart());
        for (int local : block.otherLocals()) {
            block.memory(local).get(rank.output(local), block.slotsOf(local, local, 1), rank.share());
        }
        block.await(children());
    }

    private void send() {
        children().forEach(node -> block.send(node, block.local(), ownPart()));
    }

    private Chunk ownPart() {
        return block.slots(block.local(), 1);
    }

    private Chunk whole(Chunk first) {
        return NodeBlock.range(first, block.ranksPerNode());
    }

    private int parent() {
        int distance = distance();
        return node(distance - Integer.highestOneBit(distance));
    }

    private List<Integer> children() {
        int distance = distance();
        return Stream.iterate(1, step -> distance + step < block.nodes(), step -> 2 * step)
                .filter(step -> step > distance)
                .map(step -> node(distance + step))
                .toList();
    }

    /** Distance of this node from the root's node, in node order. */
    private int distance() {
        return Math.floorMod(block.node() - block.rootNode(), block.nodes());
    }

    private int node(int distance) {
        return (block.rootNode() + distance) % block.nodes();
    }
}
