package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
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
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.binding.PlanSetup;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.multicast.RecordedMulticast;

/** Contexts of plans with switch channels, where a provider of multicast is installed. */
class MulticastContextTest {
    private static final int RANKS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Plan PLAN = ShippedProgram.MULTICAST.plan(
            ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true));

    /** One more exchange, for the binding; none if the ranks emulate multicast from the start. */
    @ParameterizedTest
    @CsvSource({"'', 4, true", "obstacle 1, 3, false", "join 0, 3, false", "bind 1, 4, false"})
    void launchesGetTheAddress(String failing, long exchanges, boolean served) throws Exception {
        RecordedMulticast provider = new RecordedMulticast();
        provider.failAt(failing);
        try (RankEnvironments ranks = new RankEnvironments(RANKS, RANKS, List.of(provider))) {
            ranks.run(environment -> {
                try (PlanExecutor executor = new PlanExecutor(environment);
                        Stream stream = environment.device().createStream();
                        DeviceBuffer buffer = environment.device().allocate(4096)) {
                    long before = environment.control().nextCall();
                    PlanSetup setup = executor.setUp(PLAN, DataType.INT32, ReduceOp.Kind.SUM, 4096);
                    assertEquals(exchanges, environment.control().nextCall() - before);
                    List<OptionalLong> addresses = setup.context().multicasts();
                    assertEquals(1, addresses.size());
                    assertEquals(served, addresses.getFirst().isPresent());
                    buffer.segment()
                            .setAtIndex(
                                    ValueLayout.JAVA_INT,
                                    1000,
                                    1 + environment.control().rank());
                    try (PreparedCall operation =
                            executor.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32), stream)) {
                        operation.run(LIMIT); // the engine of the CPU reaches every member through mapped memory
                    }
                    assertEquals(3, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 1000));
                }
            });
        }
        assertEquals(0, provider.open(), "contexts close their groups");
    }
}
