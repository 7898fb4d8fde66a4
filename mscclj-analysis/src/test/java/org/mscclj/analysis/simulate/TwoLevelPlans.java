package org.mscclj.analysis.simulate;

import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/**
 * Allreduces of many nodes, by one block of each rank: a reduce-scatter within the node, halving and doubling between
 * equal ranks of all nodes (Rabenseifner), and an allgather within the node.
 */
final class TwoLevelPlans {
    private final int nodes;
    private final int perNode;

    private TwoLevelPlans(int nodes, int perNode) {
        this.nodes = nodes;
        this.perNode = perNode;
    }

    /**
     * The plan, in place.
     *
     * @param nodes a power of two
     */
    static Plan allReduce(int nodes, int perNode) {
        int chunks = nodes * perNode;
        PlanSketch plan = new PlanSketch(
                        "two_level_" + nodes + "x" + perNode, Collective.ALLREDUCE, Protocol.SIMPLE, true, chunks)
                .chunks(chunks, chunks, chunks + nodes)
                .doubleScratch();
        TwoLevelPlans levels = new TwoLevelPlans(nodes, perNode);
        for (int rank = 0; rank < chunks; rank++) {
            levels.write(plan.block(rank), rank);
        }
        return plan.build();
    }

    private void write(BlockSketch block, int rank) {
        int node = rank / perNode;
        int local = rank % perNode;
        int[] peers = IntStream.range(1, perNode)
                .map(distance -> node * perNode + (local + distance) % perNode)
                .toArray();
        scatterWithinNode(block, local, peers);
        halve(block, node, local);
        doubleAgain(block, node, local);
        gatherWithinNode(block, local, peers);
    }

    /** Each rank of the node gets its part of the message from all others. */
    private void scatterWithinNode(BlockSketch block, int local, int[] peers) {
        for (int peer : peers) {
            block.remote(
                    DataKind.PUT,
                    MEMORY,
                    List.of(output(peer % perNode * nodes, nodes)),
                    List.of(block.of(peer, SCRATCH, MEMORY, local * nodes, nodes)));
        }
        block.meet(MEMORY, peers);
        ChunkRef own = output(local * nodes, nodes);
        List<ChunkRef> sources = new ArrayList<>(List.of(own));
        for (int peer : peers) {
            sources.add(new ChunkRef.Local(SCRATCH, peer % perNode * nodes, nodes));
        }
        block.local(DataKind.REDUCE, sources, List.of(own)).nop();
    }

    /** Half of the remaining data goes to a partner, whose other half comes back. */
    private void halve(BlockSketch block, int node, int local) {
        for (int distance = nodes / 2; distance >= 1; distance /= 2) {
            int partner = (node ^ distance) * perNode + local;
            int start = node & -2 * distance;
            int kept = start + (node & distance);
            int sent = start + (~node & distance);
            int slot = nodes * perNode + nodes - 2 * distance;
            block.port(
                            DataKind.PUT_WITH_SIGNAL,
                            partner,
                            List.of(output(local * nodes + sent, distance)),
                            List.of(block.of(partner, SCRATCH, PORT, slot, distance)))
                    .await(PORT, partner)
                    .nop();
            ChunkRef sum = output(local * nodes + kept, distance);
            block.local(DataKind.REDUCE, List.of(sum, new ChunkRef.Local(SCRATCH, slot, distance)), List.of(sum))
                    .nop();
        }
    }

    private void doubleAgain(BlockSketch block, int node, int local) {
        for (int distance = 1; distance < nodes; distance *= 2) {
            int partner = (node ^ distance) * perNode + local;
            int has = local * nodes + (node & -distance);
            block.port(
                            DataKind.PUT_WITH_SIGNAL,
                            partner,
                            List.of(output(has, distance)),
                            List.of(block.of(partner, OUTPUT, PORT, has, distance)))
                    .await(PORT, partner)
                    .nop();
        }
    }

    private void gatherWithinNode(BlockSketch block, int local, int[] peers) {
        for (int peer : peers) {
            block.remote(
                    DataKind.PUT,
                    MEMORY,
                    List.of(output(local * nodes, nodes)),
                    List.of(block.of(peer, OUTPUT, MEMORY, local * nodes, nodes)));
        }
        block.meet(MEMORY, peers);
    }

    private static ChunkRef output(int index, int size) {
        return new ChunkRef.Local(OUTPUT, index, size);
    }
}
