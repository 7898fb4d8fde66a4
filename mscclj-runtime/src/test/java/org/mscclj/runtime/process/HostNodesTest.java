package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Nodes;

/** Nodes are where the ranks are, whatever a launcher says. */
class HostNodesTest {
    private static List<String> hosts(String hosts) {
        return List.of(hosts.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "a a a a, 0 0 0 0",
        "a a b b, 0 0 1 1",
        "a b a b, 0 1 0 1", // numbered in turn, as mpirun --map-by node does
        "a a b, 0 0 1", // unequal
        "b a a, 0 1 1"
    })
    void hostsAreNodes(String hosts, String nodes) {
        List<Integer> expected = hosts(nodes).stream().map(Integer::valueOf).toList();
        int size = expected.size();
        assertEquals(new Nodes(expected), HostNodes.of(hosts(hosts), RankPosition.of(0, size)));
        assertEquals(
                new Nodes(expected),
                HostNodes.of(hosts(hosts), RankPosition.of(0, size).onSeveralHosts()));
    }

    @Test
    void aHostMayCountAsSeveralNodes() {
        RankPosition told = RankPosition.of(0, 4).withRanksPerNode(2);
        assertEquals(Nodes.blocks(4, 2), HostNodes.of(hosts("a a a a"), told));
        assertEquals(Nodes.blocks(4, 2), HostNodes.of(hosts("a a b b"), told));
    }

    @ParameterizedTest
    @CsvSource({"a b a b, 2, rank 0 is on host a and rank 1 on host b", "a a a b, 4, rank 0 is on host a and rank 3"})
    void aNodeDoesNotSpanHosts(String hosts, int ranksPerNode, String told) {
        RankPosition position = RankPosition.of(0, 4).withRanksPerNode(ranksPerNode);
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> HostNodes.of(hosts(hosts), position));
        assertTrue(String.valueOf(e.getMessage()).contains(told), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains("MSCCLJ_RANKS_PER_NODE"), e::getMessage);
    }

    @Test
    void aHostIsTheSameToAllItsProcesses() {
        assertEquals(HostIdentity.own(), HostIdentity.own());
        assertTrue(HostIdentity.own().contains("boot"), HostIdentity::own);
    }
}
