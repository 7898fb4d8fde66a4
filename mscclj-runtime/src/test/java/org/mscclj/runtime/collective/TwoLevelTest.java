package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;

/** On several nodes the communicator chooses two levels where there are equally many ranks on each, and where a program of two levels exists. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoLevelTest {
    private static final Map<Collective, String> ALGORITHMS = Map.of(
            Collective.ALLREDUCE, "two_level",
            Collective.REDUCESCATTER, "two_level",
            Collective.ALLGATHER, "two_level",
            Collective.ALLTOALL, "two_level",
            Collective.BROADCAST, "two_level",
            Collective.REDUCE, "port",
            Collective.SCATTER, "port",
            Collective.GATHER, "port");

    private static LocalGroup open(int ranks, int ranksPerNode) {
        return LocalGroup.open(
                LocalGroupOptions.ranks(ranks).ranksPerNode(ranksPerNode).timeout(CollectivesTest.LIMIT));
    }

    @Test
    void isChosenBetweenNodes() {
        try (LocalGroup group = open(6, 2)) {
            group.run(communicator -> {
                Random random = new Random(7); // the same on all ranks
                ALGORITHMS.keySet().stream().sorted().forEach(collective -> {
                    for (boolean inPlace : new boolean[] {false, true}) {
                        CollectiveCase call =
                                CollectivesTest.randomCase(collective, 1_001, inPlace, communicator.size(), random);
                        assertEquals(
                                ALGORITHMS.get(collective),
                                CollectivesTest.executeAndCheck(communicator, call, inPlace),
                                call.toString());
                    }
                });
            });
        }
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
