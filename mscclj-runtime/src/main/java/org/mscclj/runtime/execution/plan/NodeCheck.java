package org.mscclj.runtime.execution.plan;

import java.util.List;
import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.runtime.control.Nodes;

/**
 * Checks whether the channels of a plan fit the placement of the ranks on nodes. The result depends on nothing else, so
 * all ranks find an equal result.
 */
public final class NodeCheck {
    private NodeCheck() {}

    /**
     * Describes an obstacle: ranks of the plan that would have to map memory of another node. Names two of them. Empty
     * if there is none.
     */
    public static Optional<String> obstacle(Plan plan, Nodes nodes) {
        if (!nodes.several()) {
            return Optional.empty();
        }
        for (RankPlan rank : plan.ranks()) {
            for (int peer : rank.memoryChannelPeers()) {
                if (!nodes.share(rank.rank(), peer)) {
                    return Optional.of(words(nodes, "memory", rank.rank(), peer));
                }
            }
            for (SwitchGroup group : rank.switchGroups()) {
                List<Integer> members = group.ranks();
                for (int member : members) {
                    if (!nodes.share(members.getFirst(), member)) {
                        return Optional.of(words(nodes, "switch", members.getFirst(), member));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static String words(Nodes nodes, String kind, int rank, int peer) {
        return "it has a " + kind + " channel between ranks " + rank + " and " + peer
                + ", which are on different nodes and cannot map each other's memory"
                + "; use a plan with port channels between them, or put these ranks on one node (now "
                + nodes.ranksPerNode() + " on each)";
    }
}
