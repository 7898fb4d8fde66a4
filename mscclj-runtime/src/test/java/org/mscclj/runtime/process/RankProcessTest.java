package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;

/** Communicators over TCP, whose ranks are threads of this JVM. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    private static ExecutionPlan plan(String name) {
        return ExecutionPlan.load(Path.of("..", "examples", "plans", name + ".json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce_packets_2ranks"})
    void plansRun(String name) throws Exception {
        ExecutionPlan plan = plan(name);
        RankThreads.open(2, LIMIT, communicator -> {
            DeviceBuffer buffer = communicator.allocate(4096);
            try (PreparedOperation operation =
                    communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
                for (int round = 1; round <= 20; round++) {
                    for (int i = 0; i < 1024; i++) {
                        buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, i * round + communicator.rank());
                    }
                    communicator.barrier();
                    operation.run(LIMIT);
                    for (int i = 0; i < 1024; i++) {
                        assertEquals(2 * i * round + 1, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, i));
                    }
                }
            }
            communicator.barrier();
            buffer.close();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void ranksMeet(int size) throws Exception {
        RankThreads.open(size, LIMIT, communicator -> {
            assertEquals(size, communicator.size());
            for (int i = 0; i < 10; i++) {
                communicator.barrier();
            }
        });
    }
}
