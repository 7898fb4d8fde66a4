package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.binding.PlanSetup;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.selection.Choice;

/** Which calls are found among the recent ones. */
class RecentCallsTest {
    private static final long VERSION = 3;
    private static final int BYTES = 64;
    private static final Plan PLAN =
            ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 1).inPlace(true));

    /** A call of which an operation is kept. */
    private record Kept(
            RecentCalls recent,
            DeviceBuffer memory,
            CollectiveCall call,
            CachedLaunch launch,
            PreparedCall operation) {}

    private static void with(Consumer<Kept> test) throws Exception {
        try (RankEnvironments environments = new RankEnvironments(1, 1)) {
            environments.run(environment -> {
                try (PlanExecutor executor = new PlanExecutor(environment);
                        DeviceBuffer memory = environment.device().allocate(BYTES)) {
                    PlanSetup setup = executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, BYTES);
                    PreparedCall operation = executor.prepare(
                            PlanCall.of(PLAN, memory, memory, DataType.INT32),
                            environment.device().createStream());
                    CachedLaunch launch = new CachedLaunch(
                            new Choice.OfPlan("packets", PLAN, true, 1, 0),
                            setup,
                            (_, _) -> operation,
                            new PendingClose());
                    RecentCalls recent = new RecentCalls(new ClassCache(1, _ -> false));
                    CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT32);
                    recent.put(call, VERSION, new SizedLaunches(), launch, operation);
                    test.accept(new Kept(recent, memory, call, launch, operation));
                    operation.close();
                }
            });
        }
    }

    @Test
    void anEqualCallIsFound() throws Exception {
        with(kept -> assertSame(
                kept.operation,
                kept.recent.find(CollectiveCall.allReduce(kept.memory.slice(0, BYTES), DataType.INT32), VERSION)));
    }

    @Test
    void otherCallsAreNotFound() throws Exception {
        with(kept -> {
            assertNull(kept.recent.find(kept.call, VERSION + 1), "another version");
            assertNull(kept.recent.find(kept.call.op(ReduceOp.MAX), VERSION), "another operation");
            assertNull(kept.recent.find(CollectiveCall.allReduce(kept.memory, DataType.FLOAT32), VERSION), "type");
            assertNull(
                    kept.recent.find(
                            CollectiveCall.allReduce(kept.memory.slice(0, BYTES / 2), DataType.INT32), VERSION),
                    "another size");
            assertNull(
                    kept.recent.find(
                            new CollectiveCall(
                                    Collective.ALLREDUCE,
                                    kept.memory,
                                    kept.memory,
                                    DataType.INT32,
                                    ReduceOp.SUM,
                                    0,
                                    Optional.of("ring")),
                            VERSION),
                    "a named algorithm");
            assertNull(
                    kept.recent.find(
                            kept.call.arguments(new NativeArguments(false, Optional.empty(), Map.of("counter", 1L))),
                            VERSION),
                    "an extra parameter");
        });
    }

    /** Calls on the same memory share a pair of slots, whatever their operations are. */
    @Test
    void twoCallsThatShareAPairAreBothFound() throws Exception {
        with(kept -> {
            CollectiveCall other = kept.call.op(ReduceOp.MAX);
            kept.recent.put(other, VERSION, new SizedLaunches(), kept.launch, kept.operation);
            assertSame(kept.operation, kept.recent.find(other, VERSION));
            assertSame(kept.operation, kept.recent.find(kept.call, VERSION));
            kept.recent.put(kept.call.op(ReduceOp.MIN), VERSION, new SizedLaunches(), kept.launch, kept.operation);
            assertSame(kept.operation, kept.recent.find(other, VERSION));
            assertNull(kept.recent.find(kept.call, VERSION), "the last two are kept");
        });
    }

    @Test
    void closedOperationsAreNotFound() throws Exception {
        with(kept -> {
            kept.operation.close();
            assertNull(kept.recent.find(kept.call, VERSION));
        });
    }

    /** An operation may stay open on this rank when its launch has not ended, while other ranks have closed theirs. */
    @Test
    void whatTheRanksHaveReplacedIsNotFoundAlthoughItIsOpen() throws Exception {
        with(kept -> {
            kept.launch.retire();
            assertNull(kept.recent.find(kept.call, VERSION));
        });
    }
}
