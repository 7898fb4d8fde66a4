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

/** The nodes of ranks that have told each other on which hosts they are. */
final class HostNodes {
    private HostNodes() {}

    /**
     * The ranks of a host are a node. If it was told how many ranks are on each node, a host may have several.
     *
     * @param hosts {@link HostIdentity#own} of each rank
     * @param position any rank's; what it tells of nodes is equal on all
     * @throws InvalidArgumentException if a node that was told is on several hosts
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
