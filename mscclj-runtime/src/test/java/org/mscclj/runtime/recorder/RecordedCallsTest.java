package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.collective.RankCollectives;
import org.mscclj.runtime.collective.TestCollectives;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.lane.TransferExecutor;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.selection.PlanRegistryImpl;

/**
 * Every launch of a communicator is recorded: collectives in words that are equal on all ranks, messages in words of
 * the rank.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordedCallsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void everyLaunchIsRecorded() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(environment -> {
                try (Stream stream = environment.device().createStream();
                        PlanExecutor executor = new PlanExecutor(environment);
                        RankCollectives collectives =
                                TestCollectives.of(environment, stream, new PlanRegistryImpl(), executor);
                        DeviceBuffer one = environment.device().allocate(4096);
                        DeviceBuffer other = environment.device().allocate(4096)) {
                    collectives
                            .execute(CollectiveCall.broadcast(one, other, DataType.INT8, 1)
                                    .algorithm("packets"))
                            .join(LIMIT);
                    try (PreparedOperation operation = collectives.prepare(
                            CollectiveCall.allReduce(one, DataType.FLOAT32).algorithm("scratch"))) {
                        operation.run(LIMIT);
                        operation.launch();
                        operation.join(LIMIT);
                    }
                    List<RecordedLaunch> launches = environment.recorder().launches();
                    assertEquals(
                            List.of(
                                    "1 broadcast of 4 KiB int8, root 1, by packets COMPLETED",
                                    "2 allreduce of 4 KiB float32, sum, in place, by scratch COMPLETED",
                                    "3 allreduce of 4 KiB float32, sum, in place, by scratch COMPLETED"),
                            launches.stream()
                                    .map(launch ->
                                            launch.sequence() + " " + launch.description() + " " + launch.state())
                                    .toList());
                    environment.control().barrier(Topic.named("all have looked"));
                    collectives.closeOperations();
                    environment.control().barrier(Topic.named("all have closed"));
                }
            });
        }
    }

    @Test
    void everyBatchOfMessagesIsRecorded() throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(environment -> {
                int rank = environment.control().rank();
                int peer = 1 - rank;
                TransferExecutor transfers = new TransferExecutor(environment);
                transfers.connect();
                try (Stream stream = environment.device().createStream();
                        DeviceBuffer memory = environment.device().allocate(4096);
                        PreparedOperation exchange = transfers.prepare(
                                TransferCall.batch()
                                        .send(memory.slice(0, 1000), peer)
                                        .receive(memory.slice(1024, 1000), peer)
                                        .send(memory.slice(2048, 16), rank)
                                        .receive(memory.slice(2064, 16), rank)
                                        .send(memory.slice(4000, 0), peer)
                                        .receive(memory.slice(4000, 0), peer),
                                new Preparation("point_to_point", stream, BufferHold.UNTIL_CLOSED))) {
                    exchange.run(LIMIT);
                    exchange.run(LIMIT);
                    assertEquals(0, environment.recorder().taken());
                    String words = "send 1000 bytes to rank " + peer + ", receive 1000 bytes from rank " + peer
                            + ", send 0 bytes to rank " + peer + ", and 2 messages more";
                    assertEquals(
                            List.of("messages #1 " + words + " COMPLETED", "messages #2 " + words + " COMPLETED"),
                            environment.recorder().launches().stream()
                                    .map(launch -> launch.place() + " " + launch.text() + " " + launch.state())
                                    .toList());
                    environment.control().barrier(Topic.named("all have looked"));
                }
                environment.control().barrier(Topic.named("all have closed"));
                transfers.close();
            });
        }
    }
}
