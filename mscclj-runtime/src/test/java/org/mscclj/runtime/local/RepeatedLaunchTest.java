package org.mscclj.runtime.local;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Launches in a row over one context: sizes that change, flags that wrap, messages that take rounds. */
class RepeatedLaunchTest {
    private static final int[] COUNTS = {1, 4096, 3, 65_537, 2, 1000, 70_001, 0, 12_345, 16};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allreduce_packets_2ranks",
                "allreduce_ring_4ranks",
                "allreduce_direct_4ranks",
                "allreduce_multicast_2ranks"
            })
    void sizesChangeFromLaunchToLaunch(String plan) {
        runAllCounts(plan, ExecutorOptions.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce_packets_2ranks", "allreduce_ring_4ranks"})
    void messagesBeyondTheScratchTakeRounds(String plan) {
        runAllCounts(plan, new ExecutorOptions(16 * 1024, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -2, -7})
    void packetFlagsWrap(int firstFlag) {
        runAllCounts("allreduce_packets_2ranks", new ExecutorOptions(64 << 20, firstFlag));
        runAllCounts("allreduce_packets_2ranks", new ExecutorOptions(32 * 1024, firstFlag));
    }

    @Test
    void packetTypesMayChangeBetweenLaunches() {
        runAllCounts("allreduce_packets_2ranks", ExecutorOptions.DEFAULT);
    }

    private static void runAllCounts(String name, ExecutorOptions limits) {
        ExecutionPlan plan = IntegerRanks.example(name);
        long seed = System.nanoTime();
        System.out.println(name + ", seed " + seed);
        try (LocalGroup group = IntegerRanks.open(plan.worldSize(), limits)) {
            group.run(communicator -> {
                Random random = new Random(seed + communicator.rank());
                DeviceBuffer memory = communicator.allocate(70_001L * Integer.BYTES);
                for (int round = 0; round < COUNTS.length; round++) {
                    DeviceBuffer buffer = memory.slice(0, (long) COUNTS[round] * Integer.BYTES);
                    PlanCall call = PlanCall.of(plan, buffer, buffer, DataType.INT32)
                            .packetType(round % 2 == 0 ? PacketType.LL16 : PacketType.LL8);
                    IntegerRanks.fill(buffer, communicator.rank(), round);
                    try (PreparedOperation operation = communicator.prepare(call)) {
                        IntegerRanks.delay(random);
                        operation.run(IntegerRanks.LIMIT);
                        IntegerRanks.requireSum(communicator, buffer, round);
                    }
                }
                communicator.barrier();
                memory.close();
            });
        }
    }
}
