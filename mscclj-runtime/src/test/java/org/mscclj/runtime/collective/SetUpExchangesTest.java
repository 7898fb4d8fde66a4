package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.selection.PlanRegistryImpl;

/** How many exchanges the ranks make one after the other to set up a call. */
class SetUpExchangesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** What is counted. */
    @FunctionalInterface
    private interface Calls {
        void make(RankCollectives collectives, DeviceBuffer buffer, ControlPlane control);
    }

    private static void run(int ranks, int ranksPerNode, Calls calls) throws Exception {
        try (RankEnvironments environments = new RankEnvironments(ranks, ranksPerNode)) {
            environments.run(environment -> run(environment, calls));
        }
    }

    private static void run(ExecutionEnvironment environment, Calls calls) {
        PlanExecutor executor = new PlanExecutor(environment);
        RankCollectives collectives =
                TestCollectives.of(environment, environment.device().createStream(), new PlanRegistryImpl(), executor);
        collectives.connect(Optional.empty());
        DeviceBuffer buffer = environment.device().allocate(1 << 20);
        calls.make(collectives, buffer, environment.control());
        collectives.closeOperations();
        environment.control().barrier(Topic.named("no rank launches any more"));
        environment.links().stop();
        environment.control().barrier(Topic.named("all proxies have stopped"));
        collectives.close();
        executor.close();
        buffer.close();
    }

    private static void requireExchanges(long count, ControlPlane control, Runnable call) {
        long before = control.nextCall();
        call.run();
        assertEquals(count, control.nextCall() - before);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, packets, 4", "4, 4, scratch, 4", "2, 1, port, 5", "4, 2, two_level, 5"})
    void ofACallOfPlainMemory(int ranks, int ranksPerNode, String algorithm, long exchanges) throws Exception {
        run(ranks, ranksPerNode, (collectives, buffer, control) -> {
            CollectiveCall small = CollectiveCall.allReduce(buffer.slice(0, 64), DataType.INT32)
                    .algorithm(algorithm);
            requireExchanges(
                    exchanges, control, () -> collectives.execute(small).join(LIMIT));
            requireExchanges(0, control, () -> collectives.execute(small).join(LIMIT));
        });
    }

    /** A context that is there needs no steps of its own. */
    @Test
    void ofACallThatHasAContext() throws Exception {
        run(2, 2, (collectives, buffer, control) -> {
            CollectiveCall one = CollectiveCall.allReduce(buffer.slice(0, 64), DataType.INT32)
                    .algorithm("packets");
            CollectiveCall other = CollectiveCall.allReduce(buffer.slice(0, 64), DataType.INT32)
                    .algorithm("packets")
                    .op(ReduceOp.MAX);
            collectives.execute(one).join(LIMIT);
            requireExchanges(3, control, () -> collectives.execute(other).join(LIMIT));
        });
    }

    /** Addends lie in memory that peers access. */
    @ParameterizedTest
    @CsvSource({"2, 2, direct, 4", "4, 4, direct, 4", "2, 1, port, 5"})
    void ofACallWithAddends(int ranks, int ranksPerNode, String algorithm, long exchanges) throws Exception {
        run(ranks, ranksPerNode, (collectives, buffer, control) -> {
            CollectiveCall average = CollectiveCall.allReduce(buffer.slice(0, 64), DataType.FLOAT32)
                    .op(ReduceOp.AVG)
                    .algorithm(algorithm);
            requireExchanges(
                    exchanges, control, () -> collectives.execute(average).join(LIMIT));
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 2, direct, 4", "2, 1, port, 5"})
    void ofACallOfRegisteredMemory(int ranks, int ranksPerNode, String algorithm, long exchanges) throws Exception {
        run(ranks, ranksPerNode, (collectives, buffer, control) -> {
            collectives.register(buffer);
            CollectiveCall sum = CollectiveCall.allReduce(buffer.slice(0, 1 << 16), DataType.INT32)
                    .algorithm(algorithm);
            requireExchanges(exchanges, control, () -> collectives.execute(sum).join(LIMIT));
            requireExchanges(
                    3,
                    control,
                    () -> { // the context is there
                        try (PreparedOperation operation = collectives.prepare(sum)) {
                            operation.run(LIMIT);
                        }
                    });
        });
    }
}
