package org.mscclj.runtime.execution;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.runtime.control.Nodes;

/** Whether the channels of a plan fit to where the ranks are. Depends on nothing else, so that all ranks find the same. */
final class NodeCheck {
    private NodeCheck() {}

    /**
     * Refuses a plan whose ranks would have to map memory of another node.
     *
     * @throws UnsupportedException on every rank alike; names the two ranks
     */
    static void require(Plan plan, Nodes nodes) {
        if (!nodes.several()) {
            return;
        }
        for (RankPlan rank : plan.ranks()) {
            for (int peer : rank.memoryChannelPeers()) {
                require(plan, nodes, "memory", rank.rank(), peer);
            }
            for (SwitchGroup group : rank.switchGroups()) {
                List<Integer> members = group.ranks();
                for (int member : members) {
                    require(plan, nodes, "switch", members.getFirst(), member);
                }
            }
        }
    }

    private static void require(Plan plan, Nodes nodes, String kind, int rank, int peer) {
        if (!nodes.share(rank, peer)) {
            throw new UnsupportedException("plan " + plan.name() + " has a " + kind + " channel between ranks " + rank
                    + " and " + peer + ", which are on different nodes and cannot map each other's memory"
                    + "; use a plan with port channels between them, or put these ranks on one node (now "
                    + nodes.ranksPerNode() + " on each)");
        }
    }
}
