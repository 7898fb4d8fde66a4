package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.json.PlanWriter;

/**
 * Ranks that register different plans, or select differently, are told so before anything runs, and the communicator
 * can be used on.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DifferentRegistriesTest {
    private static final int RANKS = 3;
    private static final int BYTES = 64;

    /** The plan that communicators choose for small messages on plain memory, as a file would give it. */
    private static Plan copyOfShipped() {
        Plan shipped = ShippedProgram.PACKETS.plan(
                ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true));
        return PlanReader.read(PlanWriter.write(shipped), "a test");
    }

    private static Plan ring() {
        return ShippedProgram.RING.plan(
                ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true));
    }

    /** Lets rank 1 do something with its registry, and expects that all ranks are told how they differ. */
    private static void refused(PlanVerification verification, Consumer<Communicator> preparation, String... words) {
        LocalGroupOptions options =
                LocalGroupOptions.ranks(RANKS).timeout(CollectivesTest.LIMIT).verifyPlans(verification);
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> {
                preparation.accept(communicator);
                DeviceBuffer plain = communicator.device().allocate(BYTES);
                CollectiveCall call = CollectiveCall.allReduce(plain, DataType.INT8);
                assertTold(() -> communicator.prepare(call).close(), words);
                assertTold(() -> communicator.execute(call).join(), words);
                plain.segment().fill((byte) 1);
                communicator.execute(call.algorithm("scratch")).join();
                assertEquals(RANKS, plain.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1));
                communicator.barrier();
                plain.close();
            });
        }
    }

    private static void assertTold(Runnable call, String... words) {
        String message = assertThrows(InvalidArgumentException.class, call::run).getMessage();
        for (String each : words) {
            assertTrue(String.valueOf(message).contains(each), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "REQUIRE"})
    void aPlanEqualToAShippedOneOnOneRankAlone(String verification) {
        refused(
                PlanVerification.valueOf(verification),
                communicator -> {
                    if (communicator.rank() == 1) {
                        communicator.plans().register(copyOfShipped());
                    }
                },
                "ranks choose different algorithms: ranks [0, 2]: shipped program packets, plan"
                        + " allreduce_packets_3ranks_inplace (",
                "; ranks [1]: registered plan allreduce_packets_3ranks_inplace (",
                "on all ranks, register the same plans and native algorithms, in the same order, set selectors");
    }

    @Test
    void aPlanOfItsOwnOnOneRankAlone() {
        refused(
                PlanVerification.OFF,
                communicator -> {
                    if (communicator.rank() == 1) {
                        communicator.plans().register(ring());
                    }
                },
                "ranks [0, 2]: shipped program packets",
                "ranks [1]: registered plan allreduce_ring_3ranks_inplace");
    }

    @Test
    void anotherOrder() {
        refused(
                PlanVerification.OFF,
                communicator -> {
                    List<Plan> plans = List.of(copyOfShipped(), ring());
                    (communicator.rank() == 1 ? plans.reversed() : plans).forEach(communicator.plans()::register);
                },
                "ranks [0, 2]: registered plan allreduce_packets_3ranks_inplace",
                "ranks [1]: registered plan allreduce_ring_3ranks_inplace");
    }

    @Test
    void anotherSelector() {
        refused(
                PlanVerification.OFF,
                communicator -> {
                    communicator.plans().register(copyOfShipped());
                    communicator.plans().register(ring());
                    if (communicator.rank() == 1) {
                        communicator.plans().setSelector((candidates, request) -> Optional.of(candidates.getLast()));
                    }
                },
                "ranks [0, 2]: registered plan allreduce_packets_3ranks_inplace",
                "ranks [1]: registered plan allreduce_ring_3ranks_inplace");
    }

    /** Equal choices are enough: what else a rank has registered does not matter. */
    @Test
    void plansThatDoNotServeTheCallMayDiffer() {
        try (LocalGroup group = CollectivesTest.open(RANKS)) {
            group.run(communicator -> {
                if (communicator.rank() == 1) {
                    communicator
                            .plans()
                            .register(ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, RANKS)));
                }
                CollectiveCase inPlace =
                        new CollectiveCase(Collective.ALLREDUCE, DataType.INT32, ReduceOp.SUM, 0, 10, true, 0, 1);
                assertEquals("packets", CollectivesTest.executeAndCheck(communicator, inPlace, false));
            });
        }
    }
}
