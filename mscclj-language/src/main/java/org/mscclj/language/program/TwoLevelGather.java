package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.Chunk;

/**
 * Gather and allgather on two levels: a part from each node has a slot, which the rails fill, and peers read each
 * other's slots; in a gather, only the root reads. Each part crosses between nodes once, and in a gather every network
 * card of the root's node receives.
 *
 * <p>Parts of this node are read while messages are in flight.
 *
 * <p>In a gather no data comes back. Therefore a rail on the root's node signals that it and the root have launched:
 * data that the root read in the launch before may then be overwritten in the next.
 */
final class TwoLevelGather {
    private TwoLevelGather() {}

    static void allGather(NodeBlock block) {
        int node = block.node();
        block.onRank().copy(ownPart(block), block.onRank().input(0));
        block.syncBlocks();
        block.otherNodes().forEach(other -> block.send(other, node, ownPart(block)));
        block.onRank().keep(0, block.onRank().rank());
        block.onRank().exchangeSignals(block.peers());
        readParts(block, List.of(node));
        block.await(block.otherNodes());
        block.onRank().exchangeSignals(block.peers());
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
        rank.signalReady(block.peers());
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
        block.syncBlocks();
        block.send(block.rootNode(), block.node(), ownPart(block));
        block.await(List.of(block.rootNode()));
    }

    private static Chunk ownPart(NodeBlock block) {
        return block.slots(block.node(), 1);
    }

    /** Stores the parts that have arrived from the rails. */
    private static void storeArrived(NodeBlock block) {
        for (int node : block.otherNodes()) {
            block.onRank().copy(block.onRank().output(block.rail(node)), block.slots(node, 1));
        }
    }

    /** Reads the parts of some nodes from the peers. */
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
