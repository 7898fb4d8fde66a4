package org.mscclj.language.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Traffic between nodes: at most one message from a rank to a rail in each step, for any number of blocks, and no data
 * twice.
 */
class TwoLevelMessagesTest {
    private static final int PER_NODE = 3;

    private record Way(int from, int to) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void railsExchangeOneMessageInEachStep(int blocks) {
        assertEquals(everyWay(2, 1, _ -> true, _ -> true), messages(Collective.ALLREDUCE, 2, 0, blocks));
        assertEquals(everyWay(3, 2, _ -> true, _ -> true), messages(Collective.ALLREDUCE, 3, 0, blocks));
        for (Collective collective : List.of(Collective.ALLTOALL, Collective.ALLGATHER, Collective.REDUCESCATTER)) {
            assertEquals(everyWay(3, 1, _ -> true, _ -> true), messages(collective, 3, 0, blocks));
        }
    }

    /** From a root that is neither first nor last, neither of its node nor of all ranks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void scatteredDataCrossesOnce(int blocks) {
        assertEquals(everyWay(3, 1, node -> node == 1, _ -> true), messages(Collective.SCATTER, 3, 4, blocks));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void gatheredDataCrossesOnce(int blocks) {
        assertEquals(everyWay(3, 1, _ -> true, node -> node == 1), messages(Collective.GATHER, 3, 4, blocks));
    }

    /** A rank outside the root's node sends as many pieces as its part has, and thus its part once. */
    @ParameterizedTest
    @CsvSource({"2, 1", "2, 3", "3, 1", "3, 4", "5, 3"})
    void reducedDataCrossesOnce(int nodes, int blocks) {
        int rootNode = nodes / 2;
        int root = rootNode * PER_NODE + 1;
        assertEquals(
                everyWay(nodes, 1, node -> node != rootNode, _ -> true),
                messages(Collective.REDUCE, nodes, root, blocks));
        int pieces =
                plan(Collective.REDUCE, nodes, root, blocks).ranks().getFirst().inputChunks() / PER_NODE;
        assertEquals(nodes - 1, pieces);
    }

    /** Requires a number of messages on each route between rails of the nodes. */
    private static Map<Way, Integer> everyWay(int nodes, int messages, IntPredicate from, IntPredicate to) {
        Map<Way, Integer> ways = new HashMap<>();
        for (int source : IntStream.range(0, nodes).filter(from).toArray()) {
            for (int target : IntStream.range(0, nodes).filter(to).toArray()) {
                for (int local = 0; local < PER_NODE && source != target; local++) {
                    ways.put(new Way(source * PER_NODE + local, target * PER_NODE + local), messages);
                }
            }
        }
        return ways;
    }

    /** The number of messages on each route. */
    private static Map<Way, Integer> messages(Collective collective, int nodes, int root, int blocks) {
        Map<Way, Integer> messages = new HashMap<>();
        for (RankPlan rank : plan(collective, nodes, root, blocks).ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                for (int channel : putsOf(block)) {
                    Way way = new Way(rank.rank(), rank.portChannelPeers().get(channel));
                    messages.merge(way, 1, Integer::sum);
                }
            }
        }
        return messages;
    }

    /** The port channel of each put. Except in an alltoall, a message is a single chunk. */
    private static List<Integer> putsOf(ThreadBlock block) {
        List<Integer> channels = new ArrayList<>();
        for (Operation operation : block.operations()) {
            if (operation instanceof Operation.Data data && data.kind() == DataKind.PUT_WITH_SIGNAL) {
                data.channelIds()
                        .forEach(id ->
                                channels.add(block.channels(ChannelType.PORT).get(id)));
            }
        }
        return channels;
    }

    private static Plan plan(Collective collective, int nodes, int root, int blocks) {
        return ShippedProgram.TWO_LEVEL.plan(
                new ProgramSpec(collective, nodes * PER_NODE, PER_NODE, root, false, blocks));
    }
}
