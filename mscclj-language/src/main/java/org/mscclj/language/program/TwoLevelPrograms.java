package org.mscclj.language.program;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * Programs for several nodes with equally many ranks: data of all ranks of a node for one other node, or from it, goes
 * through one of them in one message. Within a node, ranks access each other's scratch; between nodes, proxies move
 * data from scratch to scratch, so no buffer must be registered.
 *
 * <p>The rank of a node that sends or receives a message is the one with the same number as its counterpart. Each
 * network card thus carries the share of its own rank, and no message passes through two of them.
 *
 * <p>Scratch becomes free as {@link ScratchPrograms} explains for peers and {@link PortPrograms} for rails. Where a
 * peer reads data that a rail has stored, the rail continues to the launch after next only after its own node has
 * received, in between, a signal that this peer has ended its launch.
 */
final class TwoLevelPrograms {
    private TwoLevelPrograms() {}

    /** Records the operations of one block. */
    @FunctionalInterface
    interface Writer {
        void write(NodeBlock block);
    }

    static Plan plan(String name, ProgramSpec spec) {
        int nodes = spec.nodes();
        return switch (spec.collective()) {
            case ALLREDUCE -> TwoLevelAllReduce.plan(name, spec);
            case BROADCAST ->
                build(
                        name,
                        new Memory(Protocol.SIMPLE, spec.ranksPerNode(), spec.ranksPerNode(), true),
                        spec,
                        TwoLevelBroadcast::broadcast);
            case ALLGATHER -> build(name, Memory.twice(nodes), spec, TwoLevelGather::allGather);
            case REDUCESCATTER ->
                build(name, Memory.twice(spec.ranks() + 2 * nodes), spec, TwoLevelPrograms::reduceScatter);
            case ALLTOALL -> build(name, Memory.twice(2 * spec.ranks()), spec, TwoLevelPrograms::allToAll);
            case REDUCE -> TwoLevelReduce.plan(name, spec);
            case SCATTER -> build(name, Memory.twice(nodes), spec, TwoLevelScatter::scatter);
            case GATHER -> build(name, Memory.twice(nodes), spec, TwoLevelGather::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    static Plan build(String name, Memory memory, ProgramSpec spec, Writer writer) {
        return Programs.build(name, memory, spec, block -> writer.write(new NodeBlock(block, spec)));
    }

    /**
     * Contributions of the peers to the parts of this rank and its rails arrive in slots {@code local · nodes + node};
     * the node's sums leave from the next {@code nodes} slots, and those of other nodes arrive in the last slots. A sum
     * leaves while the next one is computed.
     */
    private static void reduceScatter(NodeBlock block) {
        int nodes = block.nodes();
        int perNode = block.ranksPerNode();
        int sums = perNode * nodes;
        int arriving = sums + nodes;
        for (int local : block.otherLocals()) {
            for (int node = 0; node < nodes; node++) {
                Chunk slot = block.slotsOf(local, block.local() * nodes + node, 1);
                block.memory(local)
                        .put(
                                slot,
                                block.onRank().input(node * perNode + local),
                                block.onRank().share());
            }
        }
        block.onRank().exchangeSignals(block.peers());
        for (int node : block.otherNodes()) {
            block.reduce(contributions(block, node), block.slots(sums + node, 1));
            block.syncBlocks();
            block.send(node, arriving + block.node(), block.slots(sums + node, 1));
        }
        block.reduce(contributions(block, block.node()), block.slots(sums + block.node(), 1));
        block.await(block.otherNodes());
        List<Chunk> ofNodes = IntStream.range(0, nodes)
                .mapToObj(node -> block.slots((node == block.node() ? sums : arriving) + node, 1))
                .toList();
        block.reduce(ofNodes, block.onRank().output(0));
    }

    /** Contributions of this node's ranks to the part of the rail on a node, in rank order. */
    private static List<Chunk> contributions(NodeBlock block, int node) {
        return IntStream.range(0, block.ranksPerNode())
                .mapToObj(local -> local == block.local()
                        ? block.onRank().input(block.rail(node))
                        : block.slots(local * block.nodes() + node, 1))
                .toList();
    }

    /**
     * Data of this node's ranks for the rail on a node is collected in {@code ranksPerNode} slots, in their order, and
     * leaves from there; data from that rail has the order of the output.
     */
    private static void allToAll(NodeBlock block) {
        int perNode = block.ranksPerNode();
        int arriving = block.nodes() * perNode;
        for (int node = 0; node < block.nodes(); node++) {
            int slot = node * perNode + block.local();
            block.onRank().copy(block.slots(slot, 1), block.onRank().input(block.rail(node)));
        }
        for (int local : block.otherLocals()) {
            for (int node = 0; node < block.nodes(); node++) {
                Chunk slot = block.slotsOf(local, node * perNode + block.local(), 1);
                block.memory(local)
                        .put(
                                slot,
                                block.onRank().input(node * perNode + local),
                                block.onRank().share());
            }
        }
        block.onRank().exchangeSignals(block.peers());
        block.syncBlocks();
        int ofThisNode = block.node() * perNode;
        for (int node : block.otherNodes()) {
            block.send(node, arriving + ofThisNode, block.slots(node * perNode, perNode));
        }
        store(block, block.node(), block.slots(ofThisNode, perNode));
        block.await(block.otherNodes());
        for (int node : block.otherNodes()) {
            store(block, node, block.slots(arriving + node * perNode, perNode));
        }
    }

    /** Stores the parts from all ranks of a node. */
    private static void store(NodeBlock block, int node, Chunk parts) {
        Chunk destination = NodeBlock.range(block.onRank().output(node * block.ranksPerNode()), parts.size());
        block.onRank().copy(destination, parts);
    }
}
