package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.binding.PlanSetup;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;

/**
 * Contexts that no kind of calls uses are closed by all ranks together, as soon as none of them has an operation left.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnusedContextsTest {
    private static final int BYTES = 64;

    @ParameterizedTest
    @CsvSource({"SCRATCH, 2", "PORT, 1"})
    void areClosedWhenNoRankHasAnOperation(ShippedProgram program, int ranksPerNode) throws Exception {
        Plan plan = program.plan(ProgramSpec.of(Collective.ALLREDUCE, 2).inPlace(true));
        try (RankEnvironments ranks = new RankEnvironments(2, ranksPerNode)) {
            ranks.run(environment -> {
                PlanExecutor executor = new PlanExecutor(environment);
                PlanSetup setup = executor.setUp(plan, DataType.INT32, ReduceOp.Kind.SUM, BYTES);
                long scratch = executor.scratchBytes();
                executor.closeUnused(Set.of(setup.context()));
                assertEquals(scratch, executor.scratchBytes());

                try (DeviceBuffer memory = environment.device().allocate(BYTES);
                        Stream stream = environment.device().createStream()) {
                    PlanCall call =
                            PlanCall.of(plan, memory, memory, DataType.INT8).op(ReduceOp.SUM);
                    PreparedCall operation =
                            executor.bind(setup, call, new Preparation("a test", stream, BufferHold.IN_FLIGHT));
                    operation.run(environment.timeout());
                    if (environment.control().rank() == 0) {
                        operation.close();
                    }
                    executor.closeUnused(Set.of());
                    assertEquals(scratch, executor.scratchBytes(), "rank 1 has an operation");
                    assertSame(
                            setup.context(),
                            executor.setUp(plan, DataType.INT32, ReduceOp.Kind.SUM, BYTES)
                                    .context());

                    operation.close();
                    executor.closeUnused(Set.of());
                    assertEquals(0, executor.scratchBytes());
                    assertNotSame(
                            setup.context(),
                            executor.setUp(plan, DataType.INT32, ReduceOp.Kind.SUM, BYTES)
                                    .context());
                }
                environment.control().barrier(Topic.named("no rank launches any more"));
                environment.links().stop();
                environment.control().barrier(Topic.named("all proxies have stopped"));
                executor.close();
            });
        }
    }

    /** What a caller prepares is kept until the communicator closes, for the next caller. */
    @ParameterizedTest
    @CsvSource({"SCRATCH, 2", "PORT, 1"})
    void ofPreparedCallsStay(ShippedProgram program, int ranksPerNode) throws Exception {
        Plan plan = program.plan(ProgramSpec.of(Collective.ALLREDUCE, 2).inPlace(true));
        try (RankEnvironments ranks = new RankEnvironments(2, ranksPerNode)) {
            ranks.run(environment -> {
                PlanExecutor executor = new PlanExecutor(environment);
                try (DeviceBuffer memory = environment.device().allocate(BYTES);
                        Stream stream = environment.device().createStream()) {
                    PlanCall call =
                            PlanCall.of(plan, memory, memory, DataType.INT8).op(ReduceOp.SUM);
                    executor.prepare(call, stream).close();
                }
                long scratch = executor.scratchBytes();
                executor.closeUnused(Set.of());
                assertEquals(scratch, executor.scratchBytes());
                environment.control().barrier(Topic.named("no rank launches any more"));
                environment.links().stop();
                environment.control().barrier(Topic.named("all proxies have stopped"));
                executor.close();
            });
        }
    }
}
