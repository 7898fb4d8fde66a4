package org.mscclj.runtime.execution.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.DataType;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SyncType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.settings.LoggedMessages;
import org.mscclj.spi.engine.AbortFlag;

/** Plans of users are verified once, before their first launch, if that is wanted. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanProofTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int COUNT = 16;

    /** An allgather; the racy one does not wait for its threads before it says that its data are there. */
    private static Plan allGather(String name, boolean racy) {
        AlgoSpec spec =
                AlgoSpec.builder(name, ProgramCollective.allGather(2, 1, true)).build();
        return CollectiveProgram.define(spec, program -> {
                    for (Rank rank : program.ranks()) {
                        Rank peer = program.rank(1 - rank.id());
                        MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                        channel.relaxedSignal(0);
                        channel.relaxedAwait(0, SyncType.AFTER);
                        channel.put(
                                peer.output().chunk(rank.id()), rank.output().chunk(rank.id()), 0);
                        channel.signal(0, racy ? SyncType.NONE : SyncType.BEFORE);
                        channel.await(0, SyncType.AFTER);
                    }
                })
                .compile();
    }

    private static LocalGroup open(PlanVerification verification) {
        return LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT).verifyPlans(verification));
    }

    private static DeviceBuffer input(Communicator communicator, DeviceBuffer output) {
        long part = output.byteSize() / communicator.size();
        return output.slice(communicator.rank() * part, part);
    }

    private static DeviceBuffer output(Communicator communicator) {
        return communicator.allocate(2L * COUNT * Integer.BYTES);
    }

    @Test
    void aRacyPlanIsRefusedOnEveryRankAndAGoodOneRuns() {
        Plan racy = allGather("racy", true);
        Plan good = allGather("good", false);
        try (LocalGroup group = open(PlanVerification.REQUIRE)) {
            group.run(communicator -> {
                try (DeviceBuffer output = output(communicator)) {
                    DeviceBuffer input = input(communicator, output);
                    PlanCall call = PlanCall.of(racy, input, output, DataType.INT32);
                    for (int i = 0; i < 2; i++) {
                        requireRefusal(assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call)));
                    }
                    requireRefusal(assertThrows(InvalidArgumentException.class, () -> communicator.execute(call)));
                    run(communicator, good, input, output);
                }
            });
        }
    }

    @Test
    void aRegisteredPlanIsVerifiedToo() {
        Plan racy = allGather("registered_racy", true);
        try (LocalGroup group = open(PlanVerification.REQUIRE)) {
            group.run(communicator -> {
                communicator.plans().register(racy);
                try (DeviceBuffer output = output(communicator)) {
                    CollectiveCall call = CollectiveCall.allGather(input(communicator, output), output, DataType.INT32);
                    requireRefusal(assertThrows(InvalidArgumentException.class, () -> communicator.execute(call)));
                    requireRefusal(assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call)));
                    communicator.execute(call.algorithm("packets")).join();
                }
            });
        }
    }

    private static void requireRefusal(InvalidArgumentException refused) {
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("racy is refuted: nothing orders two accesses"), message);
        assertTrue(message.contains("MSCCLJ_VERIFY_PLANS"), message);
    }

    private static void run(Communicator communicator, Plan plan, DeviceBuffer input, DeviceBuffer output) {
        for (int i = 0; i < COUNT; i++) {
            input.segment().setAtIndex(ValueLayout.JAVA_INT, i, 100 * communicator.rank() + i);
        }
        communicator.barrier();
        try (PreparedOperation operation = communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32))) {
            operation.run(LIMIT);
            for (int i = 0; i < 2 * COUNT; i++) {
                assertEquals(i / COUNT * 100 + i % COUNT, output.segment().getAtIndex(ValueLayout.JAVA_INT, i));
            }
        }
    }

    @Test
    void aPlanIsVerifiedOnceForAllCommunicatorsAndTheWarningComesOnce() {
        Plan racy = allGather("warned_racy", true);
        Plan good = allGather("not_warned", false);
        List<String> verified = new ArrayList<>();
        PlanVerdicts verdicts = new PlanVerdicts(plan -> {
            verified.add(plan.name());
            return Verifier.verify(plan);
        });
        LoggedMessages messages = new LoggedMessages();
        for (int communicator = 0; communicator < 2; communicator++) {
            PlanProof proof = proof(PlanVerification.WARN, verdicts, messages);
            for (int i = 0; i < 3; i++) {
                proof.check(racy, PlanDigests.of(racy));
                proof.check(good, PlanDigests.of(good));
            }
        }
        assertEquals(List.of("warned_racy", "not_warned"), verified);
        assertEquals(1, messages.all().size(), messages.all()::toString);
        assertTrue(messages.all().getFirst().startsWith("WARNING plan warned_racy is refuted: nothing orders"));
    }

    @Test
    void whatCannotBeDecidedIsRefusedToo() {
        Plan plan = allGather("undecided", false);
        PlanVerdicts verdicts = new PlanVerdicts(_ -> new Verdict(
                List.of(new Finding(Finding.Kind.UNDECIDED, "two blocks wait for one counter")),
                false,
                Set.of(),
                List.of()));
        PlanProof proof = proof(PlanVerification.REQUIRE, verdicts, new LoggedMessages());
        String message = String.valueOf(assertThrows(InvalidArgumentException.class, () -> proof.check(plan, "digest"))
                .getMessage());
        assertTrue(message.startsWith("plan undecided is not proved: two blocks wait for one counter"), message);
    }

    /** A plan does not say what its root is; a proof does. */
    @Test
    void aProofForAnotherRootIsNone() {
        AlgoSpec spec = AlgoSpec.builder("broadcast_of_rank_1", ProgramCollective.broadcast(2, 1, false))
                .build();
        Plan plan = CollectiveProgram.define(spec, program -> {
                    Rank root = program.rank(1);
                    Rank other = program.rank(0);
                    MemoryChannel there = program.memoryChannel(0, 1);
                    MemoryChannel back = program.memoryChannel(1, 0);
                    back.signal(0, SyncType.NONE);
                    there.await(0, SyncType.AFTER);
                    there.put(other.output().chunk(0), root.input().chunk(0), 0);
                    root.copy(root.output().chunk(0), root.input().chunk(0), 0);
                    there.signal(0, SyncType.BEFORE);
                    back.await(0, SyncType.AFTER);
                })
                .compile();
        try (LocalGroup group = open(PlanVerification.REQUIRE)) {
            group.run(communicator -> {
                communicator.plans().register(plan);
                try (DeviceBuffer memory = communicator.allocate(2L * COUNT * Integer.BYTES)) {
                    DeviceBuffer input = memory.slice(0, (long) COUNT * Integer.BYTES);
                    DeviceBuffer output = memory.slice(input.byteSize(), input.byteSize());
                    CollectiveCall call = CollectiveCall.broadcast(input, output, DataType.INT32, 0);
                    String message = String.valueOf(
                            assertThrows(InvalidArgumentException.class, () -> communicator.execute(call))
                                    .getMessage());
                    assertTrue(message.contains("is proved for root [1], not for root 0"), message);
                    communicator
                            .prepare(PlanCall.of(plan, input, output, DataType.INT32))
                            .close(); // whose root is its own
                }
            });
        }
    }

    @Test
    void withoutTheOptionNothingIsVerified() {
        PlanVerdicts verdicts = new PlanVerdicts(plan -> {
            throw new AssertionError("verified " + plan.name());
        });
        proof(PlanVerification.OFF, verdicts, new LoggedMessages()).check(allGather("any", true), "digest");
    }

    @Test
    void optionsComeBeforeTheEnvironment() {
        Map<String, String> environment = Map.of(PlanVerification.VARIABLE, "require");
        assertEquals(PlanVerification.OFF, options(Map.of(), Optional.empty()));
        assertEquals(PlanVerification.REQUIRE, options(environment, Optional.empty()));
        assertEquals(PlanVerification.WARN, options(environment, Optional.of(PlanVerification.WARN)));
        assertEquals(
                "MSCCLJ_VERIFY_PLANS is \"always\"; allowed: one of off, warn, require",
                assertThrows(
                                InvalidArgumentException.class,
                                () -> options(Map.of(PlanVerification.VARIABLE, "always"), Optional.empty()))
                        .getMessage());
    }

    private static PlanVerification options(Map<String, String> environment, Optional<PlanVerification> wanted) {
        return ExecutorOptions.of(environment, wanted).verification();
    }

    private static PlanProof proof(PlanVerification verification, PlanVerdicts verdicts, System.Logger logger) {
        return new PlanProof(
                new LocalControlPlane(Nodes.one(1), LIMIT, new AbortFlag()).ofRank(0), verification, verdicts, logger);
    }
}
