package org.mscclj.language.program;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * An allreduce on two levels: each rank sums a part over its node, rails exchange these sums, and peers read each
 * other's results.
 *
 * <p>With two nodes, rails exchange sums in one step, and both add them in the order of nodes, which gives equal bits.
 * With more nodes, each rail adds up one piece of the part and sends it back to all: two steps, in which a rank sends
 * less than twice its part for any number of nodes. A ring would send as much in as many steps as there are nodes.
 *
 * <p>With two steps, one half of scratch suffices, as in {@link ScratchPrograms}; with one step, a sum does not show
 * what its sender has read.
 */
final class TwoLevelAllReduce {
    private final int nodes;
    private final int pieces;

    /** Offsets in scratch, behind the peers' contributions: sums of this node, data from other nodes, results. */
    private final int sums;

    private final int arriving;
    private final int results;

    private TwoLevelAllReduce(ProgramSpec spec) {
        nodes = spec.nodes();
        pieces = nodes == 2 ? 1 : nodes;
        sums = spec.ranksPerNode() * pieces;
        arriving = sums + pieces;
        results = arriving + nodes;
    }

    static Plan plan(String name, ProgramSpec spec) {
        TwoLevelAllReduce program = new TwoLevelAllReduce(spec);
        boolean oneStep = program.pieces == 1;
        Memory memory = new Memory(
                Protocol.SIMPLE, spec.ranksPerNode() * program.pieces, program.results + program.pieces, oneStep);
        return TwoLevelPrograms.build(name, memory, spec, oneStep ? program::oneStep : program::twoSteps);
    }

    private void oneStep(NodeBlock block) {
        block.sumOverNode(pieces);
        block.otherNodes().forEach(node -> block.send(node, arriving + block.node(), block.slots(sums, 1)));
        block.await(block.otherNodes());
        block.reduce(ofNodes(block, sums), block.slots(results, 1));
        block.syncBlocks();
        readResults(block);
    }

    private void twoSteps(NodeBlock block) {
        int own = block.node();
        block.sumOverNode(pieces);
        block.otherNodes().forEach(node -> block.send(node, arriving + own, block.slots(sums + node, 1)));
        block.await(block.otherNodes());
        block.reduce(ofNodes(block, sums + own), block.slots(results + own, 1));
        block.syncBlocks();
        block.otherNodes().forEach(node -> block.send(node, results + own, block.slots(results + own, 1)));
        block.await(block.otherNodes());
        readResults(block);
    }

    /** The sums of all nodes; that of this node is in its own slot. */
    private List<Chunk> ofNodes(NodeBlock block, int own) {
        return IntStream.range(0, nodes)
                .mapToObj(node -> block.slots(node == block.node() ? own : arriving + node, 1))
                .toList();
    }

    private void readResults(NodeBlock block) {
        block.onRank().exchangeSignals(block.peers());
        block.onRank().copy(part(block.onRank().output(block.local() * pieces)), block.slots(results, pieces));
        for (int local : block.otherLocals()) {
            block.memory(local)
                    .get(
                            part(block.onRank().output(local * pieces)),
                            block.slotsOf(local, results, pieces),
                            block.onRank().share());
        }
    }

    private Chunk part(Chunk first) {
        return NodeBlock.range(first, pieces);
    }
}
