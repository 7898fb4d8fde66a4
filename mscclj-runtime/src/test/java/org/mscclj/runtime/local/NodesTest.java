package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Four ranks on two nodes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodesTest {
    private static LocalGroup open() {
        return LocalGroup.open(LocalGroupOptions.ranks(4).ranksPerNode(2).timeout(Duration.ofSeconds(60)));
    }

    @Test
    void connectionsBetweenNodesGoOverTcp() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                int rank = communicator.rank();
                ChannelSetup channels = communicator.channels();
                assertEquals(
                        "host", channels.connect(rank ^ 1, 0, ChannelKind.PORT).transport());
                assertEquals(
                        "tcp", channels.connect(rank ^ 2, 0, ChannelKind.PORT).transport());
                communicator.barrier();
            });
        }
    }

    @Test
    void memoryOfAnotherNodeIsNotMapped() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                int peer = communicator.rank() ^ 2;
                String message = assertThrows(
                                UnsupportedException.class,
                                () -> communicator.channels().connect(peer, 0, ChannelKind.MEMORY))
                        .getMessage();
                assertTrue(String.valueOf(message).contains("rank " + peer + " is on another node"), message);
                communicator.barrier();
            });
        }
    }

    @Test
    void portChannelsMadeByHandMoveDataBetweenNodes() {
        try (LocalGroup group = open()) {
            group.run(NodesTest::swap);
        }
    }

    private static void swap(Communicator communicator) {
        int peer = 3 - communicator.rank();
        ChannelSetup channels = communicator.channels();
        try (DeviceBuffer buffer = communicator.allocate(16)) {
            try (var own = channels.register(buffer);
                    var connection = channels.connect(peer, 0, ChannelKind.PORT)) {
                channels.sendMemory(own, peer, 0);
                try (var target = channels.receiveMemory(peer, 0);
                        var semaphore = channels.createSemaphore(connection, 0);
                        PortChannel channel = channels.portChannel(semaphore, target, own)) {
                    for (int round = 1; round <= 200; round++) {
                        buffer.segment().set(ValueLayout.JAVA_LONG, 0, 10L * round + communicator.rank());
                        channel.putWithSignal(8, 0, 8);
                        channel.await(Duration.ofSeconds(30));
                        assertEquals(10L * round + peer, buffer.segment().get(ValueLayout.JAVA_LONG, 8));
                        channel.flush(Duration.ofSeconds(30));
                        communicator.barrier();
                    }
                }
                communicator.barrier();
            }
        }
    }

    @Test
    void aChildKnowsWhereItsRanksAre() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                List<Integer> across = communicator.rank() % 2 == 0 ? List.of(0, 2) : List.of(3, 1);
                try (Communicator child = communicator.split(across, "across").orElseThrow()) {
                    assertEquals(1, child.ranksPerNode());
                    assertEquals(
                            "tcp",
                            child.channels()
                                    .connect(1 - child.rank(), 0, ChannelKind.PORT)
                                    .transport());
                    child.barrier();
                }
            });
        }
    }

    /** Where flags wrap, ranks must meet that do not see each other's counters. */
    @ParameterizedTest
    @ValueSource(ints = {-1, -3})
    void flagsWrapBetweenNodes(int firstFlag) {
        LocalGroupOptions options = LocalGroupOptions.ranks(2).ranksPerNode(1).timeout(Duration.ofSeconds(60));
        try (LocalGroup group = LocalRanks.open(options, new ExecutorOptions(1 << 20, firstFlag))) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                try (DeviceBuffer input = communicator.allocate(4004);
                        DeviceBuffer output = communicator.allocate(4004);
                        PreparedOperation swap =
                                communicator.prepare(PlanCall.of(PortPackets.swap(), input, output, DataType.INT32))) {
                    for (int launch = 0; launch < 20; launch++) {
                        input.segment().setAtIndex(ValueLayout.JAVA_INT, 1000, 2 * launch + communicator.rank());
                        swap.run(Duration.ofSeconds(30));
                        assertEquals(2 * launch + peer, output.segment().getAtIndex(ValueLayout.JAVA_INT, 1000));
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aRankThatLaunchesLateIsNamedOnAllNodes(int late) {
        try (LocalGroup group = open()) {
            group.run(new LateLaunch(late, 4)::run);
        }
    }

    @Test
    void nodesAreCounted() {
        Nodes nodes = Nodes.blocks(6, 3);
        assertEquals(List.of(0, 0, 0, 1, 1, 1), nodes.ofRanks());
        assertEquals(2, nodes.of(List.of(5, 0, 1)).ranksPerNode());
        assertTrue(nodes.several() && !Nodes.one(6).several());
        assertTrue(nodes.share(0, 2) && !nodes.share(2, 3));
    }
}
