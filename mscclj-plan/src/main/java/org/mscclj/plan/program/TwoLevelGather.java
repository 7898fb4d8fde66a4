package org.mscclj.plan.program;

import java.util.List;
import org.mscclj.plan.language.Chunk;

/**
 * Gather and allgather on two levels: a part from each node has a slot, which the rails fill, and peers read each
 * other's; of a gather, the root reads its peers'. So each part crosses once, and a gather keeps every network card of
 * the root's node receiving.
 *
 * <p>What is of this node is read while messages are under way.
 *
 * <p>In a gather no data comes back, so a rail on the root's node says when the root and it have launched: then what
 * the root has read in the launch before may be overwritten in the next.
 */
final class TwoLevelGather {
    private TwoLevelGather() {}

    static void allGather(NodeBlock block) {
        int node = block.node();
        block.onRank().copy(ownPart(block), block.onRank().input(0));
        block.meetBlocks();
        block.otherNodes().forEach(other -> block.send(other, node, ownPart(block)));
        block.onRank().keep(0, block.onRank().rank());
        block.onRank().meet(block.peers());
        readParts(block, List.of(node));
        block.await(block.otherNodes());
        block.onRank().meet(block.peers());
        storeArrived(block);
        readParts(block, block.otherNodes());
    }

    static void gather(NodeBlock block) {
        if (block.onRank().isRoot()) {
            atRoot(block);
        } else if (block.node() == block.rootNode()) {
            besideRoot(block);
        } else {
            elsewhere(block);
        }
    }

    private static void atRoot(NodeBlock block) {
        RankBlock rank = block.onRank();
        rank.tellReady(block.peers());
        block.otherNodes().forEach(block::signal);
        rank.keep(0, rank.rank());
        rank.await(block.peers());
        readParts(block, List.of(block.node()));
        block.await(block.otherNodes());
        storeArrived(block);
        rank.await(block.peers());
        readParts(block, block.otherNodes());
    }

    private static void besideRoot(NodeBlock block) {
        RankBlock rank = block.onRank();
        List<Integer> root = List.of(rank.root());
        rank.copy(ownPart(block), rank.input(0));
        rank.signal(root);
        rank.awaitReady(root);
        block.otherNodes().forEach(block::signal);
        block.await(block.otherNodes());
        rank.signal(root);
    }

    private static void elsewhere(NodeBlock block) {
        block.onRank().copy(ownPart(block), block.onRank().input(0));
        block.meetBlocks();
        block.send(block.rootNode(), block.node(), ownPart(block));
        block.await(List.of(block.rootNode()));
    }

    private static Chunk ownPart(NodeBlock block) {
        return block.slots(block.node(), 1);
    }

    /** Stores what has come from the rails. */
    private static void storeArrived(NodeBlock block) {
        for (int node : block.otherNodes()) {
            block.onRank().copy(block.onRank().output(block.rail(node)), block.slots(node, 1));
        }
    }

    /** Reads what peers have of these nodes. */
    private static void readParts(NodeBlock block, List<Integer> ofNodes) {
        for (int local : block.otherLocals()) {
            for (int node : ofNodes) {
                Chunk part = block.onRank().output(node * block.ranksPerNode() + local);
                block.memory(local)
                        .get(part, block.slotsOf(local, node, 1), block.onRank().share());
            }
        }
    }
}
