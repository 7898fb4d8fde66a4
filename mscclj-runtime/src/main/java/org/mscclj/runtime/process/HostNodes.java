package org.mscclj.runtime.process;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.api.bootstrap.Placement;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Nodes;

/** Computes the nodes of ranks that have exchanged the identities of their hosts. */
final class HostNodes {
    private HostNodes() {}

    /**
     * Makes the ranks of each host a node. If the number of ranks on each node is configured, a host may have several
     * nodes.
     *
     * @param hosts {@link HostIdentity#own} of each rank
     * @param position position of any rank; its configuration of nodes is equal on all ranks
     * @throws InvalidArgumentException if a configured node is on several hosts
     */
    static Nodes of(List<String> hosts, RankPosition position) {
        if (position.placement() == Placement.TOLD) {
            requireOneHostEach(hosts, position.ranksPerNode());
            return Nodes.blocks(hosts.size(), position.ranksPerNode());
        }
        Map<String, Integer> numbers = new LinkedHashMap<>();
        List<Integer> nodes = new ArrayList<>();
        for (String host : hosts) {
            numbers.putIfAbsent(host, numbers.size());
            nodes.add(numbers.getOrDefault(host, 0));
        }
        return new Nodes(nodes);
    }

    private static void requireOneHostEach(List<String> hosts, int ranksPerNode) {
        IntStream.range(0, hosts.size())
                .filter(rank -> !hosts.get(rank).equals(hosts.get(rank - rank % ranksPerNode)))
                .findFirst()
                .ifPresent(rank -> {
                    int first = rank - rank % ranksPerNode;
                    throw new InvalidArgumentException("ranks per node are " + ranksPerNode + ", but rank " + first
                            + " is on host " + hosts.get(first) + " and rank " + rank + " on host " + hosts.get(rank)
                            + "; leave MSCCLJ_RANKS_PER_NODE and ranksPerNode away, so that the ranks find their hosts,"
                            + " or number the ranks host by host");
                });
    }
}
