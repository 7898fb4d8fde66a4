package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.selection.PlanRegistryImpl;

/**
 * Each root of each collective has a plan of its own, and each plan has scratch of its own; together they stay within a
 * limit.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScratchOfKindsTest {
    private static final int RANKS = 4;
    private static final int SCRATCH_LIMIT = 16 << 10;
    private static final List<Collective> ROOTED =
            List.of(Collective.BROADCAST, Collective.SCATTER, Collective.GATHER, Collective.REDUCE);

    @ParameterizedTest
    @ValueSource(ints = {4, 2, 1})
    void doesNotGrowWithRoots(int ranksPerNode) throws Exception {
        try (RankEnvironments ranks = new RankEnvironments(RANKS, ranksPerNode)) {
            ranks.run(new ExecutorOptions(SCRATCH_LIMIT, 1), environment -> {
                PlanRegistryImpl registry = new PlanRegistryImpl();
                PlanExecutor executor = new PlanExecutor(environment);
                RankCollectives collectives =
                        TestCollectives.of(environment, environment.device().createStream(), registry, executor);
                for (int time = 0; time < 2; time++) {
                    for (Collective collective : ROOTED) {
                        for (int root = 0; root < RANKS; root++) {
                            execute(collectives, collective, root, environment);
                            assertTrue(
                                    collectives.scratchBytes() <= 8 * SCRATCH_LIMIT,
                                    () -> collectives.scratchBytes() + " bytes of scratch");
                        }
                    }
                }
                collectives.closeOperations();
                environment.control().barrier(Topic.named("no rank launches any more"));
                environment.links().stop();
                environment.control().barrier(Topic.named("all proxies have stopped"));
                collectives.close();
                executor.close();
            });
        }
    }

    private static void execute(
            RankCollectives collectives, Collective collective, int root, ExecutionEnvironment environment) {
        int rank = environment.control().rank();
        ReduceOp op = collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP;
        CollectiveCase each = new CollectiveCase(collective, DataType.INT32, op, root, 9_999, false, 0, root);
        try (DeviceBuffer memory = environment.device().allocate(each.memoryBytes(RANKS))) {
            CollectiveCase.Buffers buffers = each.place(memory, rank, RANKS);
            collectives.execute(each.call(buffers)).join();
            each.check(buffers, rank, RANKS, "root " + root);
        }
    }
}
