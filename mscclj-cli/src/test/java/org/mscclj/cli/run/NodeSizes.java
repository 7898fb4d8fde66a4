package org.mscclj.cli.run;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** The ways to divide the ranks of a plan into several nodes so that only port channels connect the nodes. */
final class NodeSizes {
    private NodeSizes() {}

    /** Ranks on each node. */
    static List<Integer> of(Plan plan) {
        int world = plan.worldSize();
        return IntStream.range(1, world)
                .filter(size -> world % size == 0 && plan.ranks().stream().allMatch(rank -> fits(rank, size)))
                .filter(size -> plan.ranks().stream()
                        .anyMatch(rank ->
                                rank.portChannelPeers().stream().anyMatch(peer -> peer / size != rank.rank() / size)))
                .boxed()
                .toList();
    }

    private static boolean fits(RankPlan rank, int size) {
        Stream<Integer> mapped = Stream.concat(
                rank.memoryChannelPeers().stream(),
                rank.switchGroups().stream().flatMap(group -> group.ranks().stream()));
        return mapped.allMatch(peer -> peer / size == rank.rank() / size);
    }
}
