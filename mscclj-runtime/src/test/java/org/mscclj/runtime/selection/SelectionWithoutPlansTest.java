package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.fallback.FallbackCall;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;

/** On a backend without plans the fallback serves every call, whatever is registered or named. */
class SelectionWithoutPlansTest {
    private static final String REASON = "which runs no plans (PLANS)";

    private final PlanRegistryImpl registry = new PlanRegistryImpl();
    private final AlgorithmSelection selection = new AlgorithmSelection(
            Nodes.one(2),
            new Capabilities(EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 8, Set.of()),
            ProgramPreference.GPU,
            new RegisteredAlgorithms(registry),
            new Library());

    /** A fallback that no call is given to. */
    private record Library() implements FallbackCandidate {
        @Override
        public boolean isForced(Collective collective) {
            return false;
        }

        @Override
        public boolean isNamed(String name) {
            return name.equals("library");
        }

        @Override
        public Optional<Found> find(FallbackCall call) {
            return Optional.of(new Found("library", true, Optional.empty()));
        }
    }

    private static CallDescriptor call(Role role, Optional<String> algorithm) {
        return new CallDescriptor(
                Collective.ALLREDUCE,
                DataType.INT32,
                ReduceOp.SUM,
                0,
                64,
                false,
                algorithm,
                NativeArguments.NONE,
                role);
    }

    private Choice choose(CallDescriptor call) {
        return selection.choose(call, true, MappingObstacles.NONE);
    }

    @Test
    void theFallbackServesCallsAndBarriersAndParts() {
        registry.register(ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 2)));
        for (Role role : Role.values()) {
            assertEquals(new Choice.OfFallback("library"), choose(call(role, Optional.empty())), role::toString);
        }
    }

    @Test
    void callsThatNameAPlanAreRefused() {
        String plan = registry.register(ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 2)))
                .id();
        for (String name : List.of(plan, "packets", "packets@8")) {
            String message = assertThrows(
                            UnsupportedException.class, () -> choose(call(Role.ITSELF, Optional.of(name))))
                    .getMessage();
            assertTrue(String.valueOf(message).contains(name + ": another library"), message);
            assertTrue(String.valueOf(message).contains(REASON), message);
        }
    }

    @Test
    void theReportSaysWhy() {
        List<AlgorithmCandidate> candidates = SelectionReport.of(
                        selection, call(Role.ITSELF, Optional.empty()), true, MappingObstacles.NONE)
                .candidates();
        assertEquals("library", candidates.getLast().name());
        assertEquals(AlgorithmCandidate.Decision.CHOSEN, candidates.getLast().decision(), candidates::toString);
        for (AlgorithmCandidate other : candidates.subList(0, candidates.size() - 1)) {
            assertTrue(other.reason().contains(REASON), other::toString);
        }
    }
}
