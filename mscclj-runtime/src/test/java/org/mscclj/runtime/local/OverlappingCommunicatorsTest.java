package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * Two communicators that share a rank, and so its device, work at the same time: neither may see anything of the other.
 */
class OverlappingCommunicatorsTest {
    private static final int LAUNCHES = 10_000;
    private static final int COUNT = 257;

    @Test
    @Timeout(110)
    void runAtTheSameTime() {
        ExecutionPlan plan = IntegerRanks.example("allreduce_packets_2ranks");
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        AtomicLong launches = new AtomicLong();
        try (LocalGroup group = IntegerRanks.open(3, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                List<Communicator> mine = new ArrayList<>();
                communicator
                        .split(communicator.rank() < 2 ? List.of(0, 1) : List.of(), "left")
                        .ifPresent(mine::add);
                communicator
                        .split(communicator.rank() > 0 ? List.of(2, 1) : List.of(), "right")
                        .ifPresent(mine::add);
                runAll(mine, plan, seed + communicator.rank(), launches);
                mine.forEach(Communicator::close);
            });
        }
        assertEquals(4L * LAUNCHES, launches.get());
    }

    /** Each communicator is used by a thread of its own. */
    private static void runAll(List<Communicator> communicators, ExecutionPlan plan, long seed, AtomicLong launches)
            throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(communicators.size())) {
            List<Future<?>> running = new ArrayList<>();
            for (Communicator communicator : communicators) {
                running.add(threads.submit(() -> runOne(communicator, plan, new Random(seed), launches)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private static void runOne(Communicator communicator, ExecutionPlan plan, Random random, AtomicLong launches) {
        DeviceBuffer buffer = communicator.allocate(COUNT * Integer.BYTES);
        try (PreparedOperation operation = communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
            for (int round = 0; round < LAUNCHES; round++) {
                IntegerRanks.fill(buffer, communicator.rank(), round);
                if (random.nextInt(100) == 0) {
                    IntegerRanks.delay(random);
                }
                operation.run(IntegerRanks.LIMIT);
                IntegerRanks.requireSum(communicator, buffer, round);
                launches.incrementAndGet();
            }
        }
        communicator.barrier();
        buffer.close();
    }
}
