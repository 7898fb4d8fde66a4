package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** On several nodes the communicator chooses two levels where there are equally many ranks on each. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoLevelTest {
    private static final List<Collective> COLLECTIVES = List.of(
            Collective.ALLREDUCE,
            Collective.REDUCESCATTER,
            Collective.ALLGATHER,
            Collective.ALLTOALL,
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    private static LocalGroup open(int ranks, int ranksPerNode) {
        return LocalGroup.open(
                LocalGroupOptions.ranks(ranks).ranksPerNode(ranksPerNode).timeout(CollectivesTest.LIMIT));
    }

    @Test
    void isChosenBetweenNodes() {
        try (LocalGroup group = open(6, 2)) {
            group.run(communicator -> {
                Random random = new Random(7); // the same on all ranks
                for (Collective collective : COLLECTIVES) {
                    for (boolean inPlace : new boolean[] {false, true}) {
                        execute(communicator, CollectivesTest.randomCase(collective, 1_001, inPlace, 6, random));
                    }
                }
            });
        }
    }

    /** An average is scaled at the root of a reduce, and nowhere else. */
    @ParameterizedTest(name = "{0} nodes of {1} ranks")
    @CsvSource({"3,1", "2,2", "3,3"})
    void fromAndToEveryRoot(int nodes, int ranksPerNode) {
        int ranks = nodes * ranksPerNode;
        try (LocalGroup group = open(ranks, ranksPerNode)) {
            group.run(communicator -> {
                boolean inPlace = false;
                for (Collective collective :
                        COLLECTIVES.stream().filter(Collective::hasRoot).toList()) {
                    ReduceOp op = collective.reduces() ? ReduceOp.AVG : ReduceOp.NOP;
                    for (int root = 0; root < ranks; root++) {
                        inPlace = !inPlace;
                        execute(
                                communicator,
                                new CollectiveCase(collective, DataType.INT32, op, root, 37, inPlace, 4, root));
                    }
                }
            });
        }
    }

    @Test
    void ofSeveralBlocks() {
        try (LocalGroup group = open(6, 2)) {
            group.run(communicator -> {
                for (Collective collective : COLLECTIVES) {
                    ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
                    int root = collective.hasRoot() ? 3 : 0;
                    execute(
                            communicator,
                            new CollectiveCase(collective, DataType.UINT8, op, root, 1_100_001, false, 3, 1));
                }
            });
        }
    }

    private static void execute(Communicator communicator, CollectiveCase call) {
        assertEquals("two_level", CollectivesTest.executeAndCheck(communicator, call, call.inPlace()), call.toString());
    }

    /** A group without one of the ranks has unequal nodes: rank 2 of 3 is alone on its node. */
    @Test
    void isNotForUnequalNodes() {
        try (LocalGroup group = open(4, 2)) {
            group.run(communicator -> communicator
                    .split(communicator.rank() < 3 ? List.of(0, 1, 2) : List.of(), "three")
                    .ifPresent(TwoLevelTest::refusesUnequalNodes));
        }
    }

    private static void refusesUnequalNodes(Communicator three) {
        try (three) {
            CollectiveCase call = CollectivesTest.randomCase(Collective.ALLREDUCE, 100, false, 3, new Random(3));
            assertEquals("port", CollectivesTest.executeAndCheck(three, call, true));
            assertRefused(
                    three, call, "it needs equally many ranks on each node, and in order; they are on nodes [0, 0, 1]");
        }
    }

    @Test
    void isRefusedOnOneNode() {
        try (LocalGroup group = open(2, 2)) {
            group.run(communicator -> assertRefused(
                    communicator,
                    CollectivesTest.randomCase(Collective.BROADCAST, 100, false, 2, new Random(3)),
                    "it is for several nodes, and there is one"));
        }
    }

    private static void assertRefused(Communicator communicator, CollectiveCase call, String reason) {
        DeviceBuffer memory = communicator.allocate(call.memoryBytes(communicator.size()));
        CollectiveCase.Buffers buffers = call.place(memory, communicator.rank(), communicator.size());
        String refusal = assertThrows(
                        UnsupportedException.class,
                        () -> communicator.execute(call.call(buffers).algorithm("two_level")))
                .getMessage();
        assertTrue(String.valueOf(refusal).contains(reason), refusal);
        memory.close();
    }
}
