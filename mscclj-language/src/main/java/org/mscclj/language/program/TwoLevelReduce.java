package org.mscclj.language.program;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * A reduce on two levels: each rank sums a part over its node, rails send these sums to the rail on the root's node,
 * which adds that of its own node, and the root reads the results of its peers.
 *
 * <p>A part has a piece for each node except the root's. The node of a piece adds it up over these nodes and sends it
 * on. Each rank thus sends its part once, and no contribution of the root's node leaves it: this is the minimum, and no
 * network card sends or receives more than one part for any number of nodes. In a tree, each rank also sends its part
 * once, but the root's node receives a part for each branch.
 *
 * <p>No data comes from the root's node, so its ranks signal their rails that they have launched.
 */
final class TwoLevelReduce {
    private final NodeBlock block;
    private final int pieces;

    /** Offsets in scratch, behind the peers' contributions: sums of this node, data from other nodes. */
    private final int sums;

    private final int arriving;

    private TwoLevelReduce(NodeBlock block) {
        this.block = block;
        pieces = block.nodes() - 1;
        sums = block.ranksPerNode() * pieces;
        arriving = sums + pieces;
    }

    static Plan plan(String name, ProgramSpec spec) {
        int pieces = spec.nodes() - 1;
        int perNode = spec.ranksPerNode();
        Memory memory = new Memory(Protocol.SIMPLE, perNode * pieces, (perNode + 2) * pieces, true);
        return TwoLevelPrograms.build(name, memory, spec, block -> new TwoLevelReduce(block).reduce());
    }

    private void reduce() {
        if (block.node() != block.rootNode()) {
            elsewhere();
        } else if (block.onRank().isRoot()) {
            atRoot();
        } else {
            besideRoot();
        }
    }

    private void elsewhere() {
        List<Integer> root = List.of(block.rootNode());
        List<Integer> others = new ArrayList<>(block.otherNodes());
        others.removeAll(root);
        int own = piece(block.node());
        block.sumOverNode(pieces);
        if (!others.isEmpty()) {
            others.forEach(node -> block.send(node, arriving + own, block.slots(sums + piece(node), 1)));
            block.await(others);
            List<Chunk> ofNodes = new ArrayList<>(List.of(block.slots(sums + own, 1)));
            others.forEach(node -> ofNodes.add(block.slots(arriving + piece(node), 1)));
            block.reduce(ofNodes, ofNodes.getFirst());
            block.syncBlocks();
        }
        block.send(block.rootNode(), arriving + own, block.slots(sums + own, 1));
        block.await(root);
    }

    private void besideRoot() {
        addUp(block.slots(sums, pieces));
        block.onRank().signal(List.of(block.onRank().root()));
    }

    private void atRoot() {
        RankBlock rank = block.onRank();
        addUp(NodeBlock.range(rank.output(block.local() * pieces), pieces));
        rank.await(block.peers());
        for (int local : block.otherLocals()) {
            Chunk part = NodeBlock.range(rank.output(local * pieces), pieces);
            block.memory(local).get(part, block.slotsOf(local, sums, pieces), rank.share());
        }
    }

    /** Adds arriving data to the sum over the root's node. */
    private void addUp(Chunk result) {
        block.otherNodes().forEach(block::signal);
        block.sumOverNode(pieces);
        block.await(block.otherNodes());
        block.reduce(List.of(block.slots(sums, pieces), block.slots(arriving, pieces)), result);
    }

    /** The piece that a node adds up. */
    private int piece(int node) {
        return Math.floorMod(node - block.rootNode(), block.nodes()) - 1;
    }
}
