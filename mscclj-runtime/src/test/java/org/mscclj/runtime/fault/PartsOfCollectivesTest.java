package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroup.RankTask;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;

/** Collectives that consist of messages are launches of all ranks: they are counted, named and compared as such. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartsOfCollectivesTest {
    private static final int RANKS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static void onThreads(ExecutorOptions options, RankTask task) {
        try (LocalGroup group = LocalRanks.open(LocalGroupOptions.ranks(RANKS).timeout(LIMIT), options)) {
            group.run(task);
        }
    }

    private static List<DeviceBuffer> parts(Communicator communicator) {
        return IntStream.range(0, RANKS)
                .mapToObj(_ -> communicator.device().allocate(64))
                .toList();
    }

    private static TransferCall allToAll(Communicator communicator) {
        return communicator.variable().allToAll(parts(communicator), parts(communicator));
    }

    private static TransferCall gather(Communicator communicator, int root) {
        return communicator
                .variable()
                .gather(
                        communicator.device().allocate(64),
                        communicator.rank() == root ? parts(communicator) : List.of(),
                        root);
    }

    private static String timedOut(Communicator communicator, Runnable join) {
        OperationTimeoutException e = assertThrows(OperationTimeoutException.class, join::run);
        assertEquals(List.of(1), e.missingRanks(), e::getMessage);
        return String.valueOf(e.getMessage());
    }

    @Test
    void aRankThatDoesNotCallIsNamed() {
        ExecutorOptions watched =
                ExecutorOptions.DEFAULT.withWatchdog(new WatchdogLimits(Optional.of(SHORT), Optional.of(SHORT)));
        onThreads(watched, communicator -> {
            communicator.execute(allToAll(communicator).timeout(LIMIT)).join();
            String message;
            if (communicator.rank() == 1) {
                assertThrows(OperationTimeoutException.class, communicator::barrier);
                message = timedOut(communicator, communicator::barrier);
            } else {
                Work work = communicator.execute(allToAll(communicator));
                message = timedOut(communicator, () -> work.join(LIMIT));
            }
            assertTrue(message.contains("launch #2, alltoall of parts, by point_to_point: not ended"), message);
            assertTrue(message.contains("it could not "), message);
            assertTrue(message.contains("rank 1: last completed #1, alltoall of parts, by point_to_point"), message);
            assertTrue(message.contains("has not called #2"), message);
        });
    }

    /** Rank 1 waits for nobody, and its root for nothing. */
    @Test
    void anotherRootIsNamed() {
        CyclicBarrier met =
                new CyclicBarrier(RANKS); // a barrier of ranks may fail where an abort overtakes the last arrival
        onThreads(ExecutorOptions.DEFAULT, communicator -> {
            Work work = communicator.execute(gather(communicator, communicator.rank() == 1 ? 2 : 0));
            if (communicator.rank() == 0) {
                String message = timedOut(communicator, () -> work.join(SHORT));
                assertTrue(
                        message.contains("rank 1 called gather of parts, root 2, by point_to_point as #1,"
                                + " where ranks 0 and 2 called gather of parts, root 0"),
                        message);
            } else {
                work.join(LIMIT);
            }
            met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            communicator.abort("rank 0 waits in vain, as it should");
        });
    }

    @Test
    void areComparedIfThatIsWanted() {
        ExecutorOptions comparing = new ExecutorOptions(64 << 20, 1, PlanVerification.OFF, true);
        onThreads(comparing, communicator -> {
            boolean deviates = communicator.rank() == 1;
            TransferCall call = allToAll(communicator).type(deviates ? DataType.INT8 : DataType.INT16);
            requireDifferent(() -> communicator.execute(call).join(), "alltoall of int8 parts, by", "int16");
            try (PreparedOperation operation = communicator.prepare(gather(communicator, deviates ? 2 : 0))) {
                requireDifferent(operation::launch, "gather of parts, root 2", "root 0");
            }
            TransferCall equal = allToAll(communicator);
            try (PreparedOperation operation = communicator.prepare(equal)) {
                if (deviates) {
                    operation.run(LIMIT);
                } else {
                    communicator.execute(equal).join();
                }
            }
        });
    }

    private static void requireDifferent(Runnable call, String... words) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call::run);
        for (String word : words) {
            assertTrue(String.valueOf(e.getMessage()).contains(word), e::getMessage);
        }
    }

    /** Its part may be none at all. */
    @Test
    void aRankWithoutMessagesTakesPart() {
        onThreads(ExecutorOptions.DEFAULT, communicator -> {
            DeviceBuffer memory = communicator.device().allocate(8);
            List<Long> counts = communicator.rank() == 1 ? List.of(0L, 0L, 0L) : List.of(2L, 0L, 2L);
            communicator
                    .execute(communicator
                            .variable()
                            .allToAll(memory.slice(0, 4), counts, memory.slice(4, 4), counts, DataType.INT8))
                    .join();
            communicator.execute(gather(communicator, 0)).join();
            communicator.barrier();
        });
    }
}
