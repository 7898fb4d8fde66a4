package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.spi.proxy.Trigger;

/** A communicator may have more plans with port channels than one proxy agent has ids for. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyPortPlansTest {
    private static final int CHANNELS = 64;
    private static final int PLANS = Trigger.SEMAPHORE_IDS / CHANNELS + 2;

    @Test
    void haveTogetherMoreChannelsThanAnAgentHasIds() {
        List<Plan> plans =
                IntStream.range(0, PLANS).mapToObj(ManyPortPlansTest::exchange).toList();
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(2).ranksPerNode(1).timeout(Duration.ofSeconds(60)))) {
            group.run(communicator -> {
                int rank = communicator.rank();
                try (DeviceBuffer input = communicator.allocate(16);
                        DeviceBuffer output = communicator.allocate(32)) {
                    List<PreparedOperation> open = new ArrayList<>();
                    for (Plan plan : plans) {
                        open.add(communicator.prepare(PlanCall.of(plan, input, output, DataType.INT64)));
                    }
                    for (int i = 0; i < PLANS; i++) { // the first again, after all the others have been set up
                        input.segment().set(ValueLayout.JAVA_LONG, 0, 1000L * rank + i);
                        open.get(i).run(Duration.ofSeconds(30));
                        for (int peer = 0; peer < 2; peer++) {
                            assertEquals(1000L * peer + i, output.segment().get(ValueLayout.JAVA_LONG, 16L * peer));
                        }
                        communicator.barrier();
                    }
                    open.forEach(PreparedOperation::close);
                    communicator.barrier();
                }
            });
        }
    }

    /** An allgather in which many blocks signal on channels of their own; the first also sends. */
    private static Plan exchange(int number) {
        Plan plan = new Plan(
                "exchange" + number,
                Collective.ALLGATHER,
                Protocol.SIMPLE,
                false,
                false,
                1024,
                false,
                16,
                0,
                -1,
                List.of(rank(0), rank(1)));
        PlanValidator.validate(plan);
        return plan;
    }

    private static RankPlan rank(int rank) {
        int peer = 1 - rank;
        return new RankPlan(
                rank,
                1,
                2,
                0,
                IntStream.range(0, CHANNELS)
                        .mapToObj(channel -> block(channel, rank))
                        .toList(),
                List.of(),
                Collections.nCopies(CHANNELS, peer),
                List.of(),
                List.of(new RemoteBuffer(peer, BufferType.OUTPUT, List.of(ChannelType.PORT))),
                List.of());
    }

    private static ThreadBlock block(int channel, int rank) {
        Operation wait = new Operation.Wait(ChannelType.PORT, List.of(0), false);
        List<Operation> operations = channel > 0
                ? List.of(new Operation.Signal(ChannelType.PORT, List.of(0), false), wait)
                : List.of(
                        data(DataKind.COPY, Optional.empty(), new ChunkRef.Local(BufferType.OUTPUT, rank, 1)),
                        data(DataKind.PUT_WITH_SIGNAL, Optional.of(ChannelType.PORT), new ChunkRef.Remote(0, rank, 1)),
                        wait);
        return new ThreadBlock(channel, operations, List.of(), List.of(channel), List.of(), List.of(), List.of(0));
    }

    private static Operation data(DataKind kind, Optional<ChannelType> channel, ChunkRef destination) {
        return new Operation.Data(
                kind,
                channel,
                channel.isPresent() ? List.of(0) : List.of(),
                List.of(new ChunkRef.Local(BufferType.INPUT, 0, 1)),
                List.of(destination),
                BlockShare.WHOLE,
                Optional.empty());
    }
}
