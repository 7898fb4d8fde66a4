package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Barriers of streams. That they wait is a rule of conformance. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarrierTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static LocalGroup open(int ranks) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void theyAreLaunchedPreparedAndReplayed(int ranks) {
        try (LocalGroup group = open(ranks)) {
            group.run(communicator -> {
                communicator.execute(BarrierCall.STREAMS).join();
                communicator.execute(BarrierCall.STREAMS.timeout(LIMIT)).join();
                try (PreparedOperation prepared = communicator.prepare(BarrierCall.STREAMS)) {
                    prepared.run(LIMIT);
                    Stream stream = communicator.stream();
                    try (Graph graph = stream.capture(() -> prepared.launch(stream))) {
                        for (int replay = 0; replay < 3; replay++) {
                            graph.launch(stream);
                            prepared.run(LIMIT);
                        }
                        stream.synchronize(LIMIT);
                    }
                }
            });
        }
    }

    @Test
    void whoLooksSeesABarrier() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.device().allocate(Integer.BYTES);
                        var _ = communicator.addHook(new CommunicatorHook() {
                            @Override
                            public void beforeOperation(OperationDescription operation) {
                                seen.add(operation.operation());
                            }
                        })) {
                    communicator.execute(BarrierCall.STREAMS).join();
                    communicator
                            .allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                            .join();
                    communicator.barrier();
                }
            });
        }
        assertEquals(
                List.of("allreduce", "allreduce", "barrier", "barrier"),
                seen.stream().sorted().toList());
    }

    @Test
    void anotherCallIsNoBarrier() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                assertThrows(
                        InvalidArgumentException.class,
                        () -> {
                            if (communicator.rank() == 0) {
                                communicator.execute(BarrierCall.STREAMS).join();
                            } else {
                                communicator.allocate(64).close();
                            }
                        },
                        "the first barrier, of which nothing is set up");
                communicator.execute(BarrierCall.STREAMS).join();
                try (DeviceBuffer buffer = communicator.device().allocate(Integer.BYTES)) {
                    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> {
                        if (communicator.rank() == 0) {
                            communicator.prepare(BarrierCall.STREAMS).close();
                        } else {
                            communicator
                                    .prepare(CollectiveCall.allReduce(buffer, DataType.INT32))
                                    .close();
                        }
                    });
                    String message = String.valueOf(e.getMessage());
                    assertTrue(message.contains("ranks [0]: barrier of streams; ranks [1]: allreduce"), message);
                }
                communicator.execute(BarrierCall.STREAMS).join();
            });
        }
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                communicator.execute(BarrierCall.STREAMS).join();
                if (communicator.rank() != 1) {
                    OperationTimeoutException e = assertThrows(
                            OperationTimeoutException.class,
                            () -> communicator
                                    .execute(BarrierCall.STREAMS.timeout(Duration.ofMillis(50)))
                                    .join());
                    assertEquals(List.of(1), e.missingRanks(), e::getMessage);
                    assertTrue(String.valueOf(e.getMessage()).contains("called #2, barrier, by"), e::getMessage);
                }
                communicator.barrier();
                if (communicator.rank() == 1) {
                    communicator.execute(BarrierCall.STREAMS).join();
                }
                communicator.execute(BarrierCall.STREAMS).join();
            });
        }
    }
}
