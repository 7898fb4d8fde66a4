package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.DataType;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.runtime.execution.ExecutorOptions;

/** A prepared launch allocates nothing, in any thread: neither the caller's nor those that carry out the work. */
@Isolated
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int LAUNCHES = 2_000;

    /** What the measurement itself and the test's barrier may allocate, far below one byte a launch. */
    private static final long NOISE_BYTES = 1_024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allreduce_packets_2ranks",
                "allreduce_multicast_2ranks",
                "allreduce_ring_4ranks",
                "sendrecv_port_2ranks"
            })
    void aPreparedLaunchAllocatesNothing(String name) {
        ExecutionPlan plan = IntegerRanks.example(name);
        CyclicBarrier together = new CyclicBarrier(plan.worldSize());
        long[] allocated = new long[1];
        try (LocalGroup group = IntegerRanks.open(plan.worldSize(), ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(8192);
                DeviceBuffer input = memory.slice(0, 4096);
                DeviceBuffer output = plan.inPlace() ? input : memory.slice(4096, 4096);
                try (PreparedOperation operation =
                        communicator.prepare(PlanCall.of(plan, input, output, DataType.FLOAT32))) {
                    repeat(operation, WARM_UP);
                    together.await();
                    long before = communicator.rank() == 0 ? ofAllThreads() : 0;
                    together.await();
                    repeat(operation, LAUNCHES);
                    together.await();
                    if (communicator.rank() == 0) {
                        allocated[0] = ofAllThreads() - before;
                    }
                    together.await();
                }
                communicator.barrier();
                memory.close();
            });
        }
        System.out.println(name + ": " + allocated[0] + " bytes in " + LAUNCHES + " launches");
        assertEquals(0, allocated[0] / NOISE_BYTES, () -> allocated[0] + " bytes in " + LAUNCHES + " launches");
    }

    private static void repeat(PreparedOperation operation, int times) {
        for (int i = 0; i < times; i++) {
            if (i % 2 == 0) {
                operation.run(IntegerRanks.LIMIT);
            } else {
                operation.launch();
                operation.join(IntegerRanks.LIMIT);
            }
        }
    }

    private static long ofAllThreads() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
