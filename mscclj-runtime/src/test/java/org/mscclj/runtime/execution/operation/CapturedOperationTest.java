package org.mscclj.runtime.execution.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.spi.engine.PreparedLaunch;

/** What a graph holds outlives its closing, until the graph is gone or the communicator is closed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CapturedOperationTest {
    /** A launch that a graph has or has not. */
    private static final class Captured implements PreparedLaunch {
        private boolean captured = true;

        @Override
        public boolean isCaptured() {
            return captured;
        }

        @Override
        public long enqueue(Stream stream, boolean callerJoins) {
            return 0;
        }

        @Override
        public long enqueued() {
            return 0;
        }

        @Override
        public boolean isEnded(long number) {
            return true;
        }

        @Override
        public boolean await(long number, long nanos) {
            return true;
        }

        @Override
        public void orderAfter(long number, Stream stream) {
            // nothing is ever under way
        }

        @Override
        public void close() {
            // there is nothing to free
        }
    }

    private static void withOperation(Captured launch, List<String> freed, Consumer<PreparedCall> test)
            throws Exception {
        Plan plan = ShippedProgram.SCRATCH.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 1).inPlace(true));
        try (RankEnvironments ranks = new RankEnvironments(1, 1)) {
            ranks.run(environment -> {
                try (PlanExecutor executor = new PlanExecutor(environment);
                        Stream stream = environment.device().createStream()) {
                    PlanContext context = executor.setUp(plan, DataType.INT32, ReduceOp.Kind.SUM, Long.BYTES)
                            .context();
                    List<AutoCloseable> resources = new ArrayList<>(List.of(() -> freed.add("memory")));
                    Preparation preparation = new Preparation("a test", stream, BufferHold.UNTIL_CLOSED);
                    test.accept(new PreparedCall(
                            preparation,
                            environment,
                            context,
                            launch,
                            RecordedAs.of(() ->
                                    new OperationDescription("a test", "", "", -1, 0, false, preparation.algorithm())),
                            resources));
                }
            });
        }
    }

    @Test
    void isFreedWhenItsGraphIsGone() throws Exception {
        Captured launch = new Captured();
        List<String> freed = new ArrayList<>();
        withOperation(launch, freed, operation -> {
            operation.freeIfForgotten();
            assertFalse(operation.isClosed());
            operation.close();
            operation.close();
            assertTrue(operation.isClosed());
            assertTrue(operation.isUsing(), "its buffers may not be closed");
            assertThrows(InvalidArgumentException.class, operation::launch);
            assertThrows(InvalidArgumentException.class, () -> operation.run(Duration.ofSeconds(1)));
            operation.freeIfForgotten();
            assertEquals(List.of(), freed);

            launch.captured = false;
            assertFalse(operation.isUsing());
            operation.freeIfForgotten();
            operation.freeIfForgotten();
            operation.close();
            assertEquals(List.of("memory"), freed);
        });
    }

    @Test
    void isFreedWhenTheCommunicatorIsClosed() throws Exception {
        List<String> freed = new ArrayList<>();
        withOperation(new Captured(), freed, operation -> {
            operation.close();
            assertEquals(List.of(), freed);
            operation.closeForGood();
            operation.closeForGood();
            assertEquals(List.of("memory"), freed);
        });
    }
}
