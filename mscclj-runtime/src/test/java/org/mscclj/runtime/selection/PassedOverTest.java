package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Algorithms that could serve a call, and do not: the report says why. */
class PassedOverTest {
    private static final Plan RING = ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));

    private final PlanRegistryImpl registry = new PlanRegistryImpl();

    private AlgorithmSelection selection(ProgramPreference preference) {
        Capabilities capabilities = new Capabilities(
                EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 8, EnumSet.of(Feature.PLANS));
        return new AlgorithmSelection(
                Nodes.one(2), capabilities, preference, new RegisteredAlgorithms(registry), FallbackCandidate.NONE);
    }

    private static AlgorithmCandidate candidate(AlgorithmSelection selection, CallDescriptor call, String name) {
        Selection report = SelectionReport.of(selection, call, true, MappingObstacles.NONE);
        return report.candidates().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPlanThatNoSelectorChoosesLeavesTheCallToOthers() {
        registry.register(RING);
        registry.setDefaultSelector((_, _) -> Optional.empty());
        AlgorithmSelection selection = selection(ProgramPreference.HOST);
        CallDescriptor call = AlgorithmSelectionTest.call(Optional.empty());
        assertEquals(
                "direct", selection.choose(call, true, MappingObstacles.NONE).algorithm());
        assertEquals(
                new AlgorithmCandidate(
                        RING.name(),
                        AlgorithmCandidate.Kind.REGISTERED_PLAN,
                        AlgorithmCandidate.Decision.NOT_NEEDED,
                        "no selector chooses it"),
                candidate(selection, call, RING.name()));
    }

    @Test
    void aPlanHasItsOwnSize() {
        registry.register(RING);
        AlgorithmSelection selection = selection(ProgramPreference.HOST);
        CallDescriptor call = AlgorithmSelectionTest.call(Optional.of(RING.name() + "@8"));
        String refusal = "it has numbers of blocks and threads of its own; leave them 0";
        String said = assertThrows(
                        UnsupportedException.class, () -> selection.choose(call, true, MappingObstacles.NONE))
                .getMessage();
        assertTrue(String.valueOf(said).contains(refusal), said);
        AlgorithmCandidate plan = candidate(selection, call, RING.name());
        assertEquals(AlgorithmCandidate.Decision.REFUSED, plan.decision());
        assertEquals(refusal, plan.reason());
    }

    @Test
    void aMeasuredProgramThatTheDeviceCannotRunIsPassedOver() {
        SelectionTable table =
                new SelectionTable(List.of(SelectionRow.of(Collective.ALLREDUCE, 2, true, 0, "packets_ll128@4")));
        AlgorithmSelection selection = selection(ProgramPreference.HOST.with(table));
        CallDescriptor call = AlgorithmSelectionTest.call(Optional.empty());
        AlgorithmCandidate lines = candidate(selection, call, "packets_ll128");
        assertEquals(AlgorithmCandidate.Decision.NOT_NEEDED, lines.decision());
        assertTrue(lines.reason().contains("passed over: the device sends no lines"), lines.reason());
    }
}
