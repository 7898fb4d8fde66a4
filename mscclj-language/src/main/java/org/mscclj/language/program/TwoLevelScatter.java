package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.Chunk;

/**
 * A scatter on two levels: the root gives each peer the data for that peer's rails, one slot for each node, and every
 * rank of the root's node sends its slots on. Each part crosses between nodes once, and every network card of that node
 * sends.
 *
 * <p>The root's own messages leave first, since its launch ends only when they have left; data for its own node follows
 * last.
 *
 * <p>No data comes back. Therefore peers and rails signal that they have launched: data that they sent on or stored in
 * the launch before may then be overwritten in the next.
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
        block.syncBlocks();
        send(block);
        storeParts(block, block.otherNodes());
        storeParts(block, List.of(block.node()));
        rank.keep(rank.rank(), 0);
        rank.awaitReady(block.peers());
        block.await(block.otherNodes());
    }

    private static void besideRoot(NodeBlock block) {
        List<Integer> root = List.of(block.onRank().root());
        block.onRank().signalReady(root);
        block.onRank().await(root);
        block.syncBlocks();
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

    /** Stores the data for some nodes into the scratch of the peers that send it on. */
    private static void storeParts(NodeBlock block, List<Integer> forNodes) {
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
