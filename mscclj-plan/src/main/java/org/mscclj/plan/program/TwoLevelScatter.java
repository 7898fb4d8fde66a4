package org.mscclj.plan.program;

import java.util.List;
import org.mscclj.plan.language.Chunk;

/**
 * A scatter on two levels: the root gives each peer what is for that peer's rails, a slot for each node, and every rank
 * of the root's node sends its slots on. So each part crosses once, and every network card of that node sends.
 *
 * <p>What the root sends itself leaves first, since its launch ends when that has left, and what is for its own node
 * follows last.
 *
 * <p>No data comes back, so peers and rails say when they have launched: then what they have sent on or stored in the
 * launch before may be overwritten in the next.
 */
final class TwoLevelScatter {
    private TwoLevelScatter() {}

    static void scatter(NodeBlock block) {
        if (block.onRank().isRoot()) {
            fromRoot(block);
        } else if (block.node() == block.rootNode()) {
            besideRoot(block);
        } else {
            elsewhere(block);
        }
    }

    private static void fromRoot(NodeBlock block) {
        RankBlock rank = block.onRank();
        for (int node : block.otherNodes()) {
            rank.copy(block.slots(node, 1), rank.input(block.rail(node)));
        }
        block.meetBlocks();
        send(block);
        giveParts(block, block.otherNodes());
        giveParts(block, List.of(block.node()));
        rank.keep(rank.rank(), 0);
        rank.awaitReady(block.peers());
        block.await(block.otherNodes());
    }

    private static void besideRoot(NodeBlock block) {
        List<Integer> root = List.of(block.onRank().root());
        block.onRank().tellReady(root);
        block.onRank().await(root);
        block.meetBlocks();
        send(block);
        block.onRank().await(root);
        storeOwn(block);
        block.await(block.otherNodes());
    }

    private static void elsewhere(NodeBlock block) {
        block.signal(block.rootNode());
        block.await(List.of(block.rootNode()));
        storeOwn(block);
    }

    /** Stores what is for these nodes into the scratch of those peers that it goes by. */
    private static void giveParts(NodeBlock block, List<Integer> forNodes) {
        RankBlock rank = block.onRank();
        for (int local : block.otherLocals()) {
            for (int node : forNodes) {
                Chunk part = rank.input(node * block.ranksPerNode() + local);
                block.memory(local).put(block.slotsOf(local, node, 1), part, rank.share());
            }
        }
        rank.signal(block.peers());
    }

    private static void send(NodeBlock block) {
        block.otherNodes().forEach(node -> block.send(node, node, block.slots(node, 1)));
    }

    private static void storeOwn(NodeBlock block) {
        block.onRank().copy(block.onRank().output(0), block.slots(block.node(), 1));
    }
}
