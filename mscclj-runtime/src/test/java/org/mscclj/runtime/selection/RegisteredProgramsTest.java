package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.SyncType;

/** A program that is registered brings what its specification says, and its plan does not. */
class RegisteredProgramsTest {
    private final PlanRegistryImpl registry = new PlanRegistryImpl();

    private static CollectiveProgram program(AlgoSpec.Builder spec) {
        return CollectiveProgram.define(
                spec.build(),
                program -> program.ranks().forEach(rank -> {
                    var channel = program.memoryChannel(1 - rank.id(), rank.id());
                    channel.signal(0, SyncType.BEFORE);
                    channel.await(0, SyncType.AFTER);
                }));
    }

    private static AlgoSpec.Builder spec(String name) {
        return AlgoSpec.builder(name, ProgramCollective.allReduce(2, 1, true));
    }

    private static CallShape call(int ranksPerNode) {
        return new CallShape(
                Collective.ALLREDUCE, DataType.FLOAT32, ReduceOp.SUM, 0, true, false, 2, ranksPerNode, 1024);
    }

    @Test
    void itsRanksPerNodeAndTagsComeWithIt() {
        CollectiveProgram program =
                program(spec("tagged").ranksPerNode(2).tag("nvls", 1).tag("default", 0));
        PlanHandle handle = registry.register(program);
        assertEquals(
                new PlanHandle("tagged", program.compile(), Optional.of(2), Map.of("default", 0, "nvls", 1)), handle);
        assertEquals(handle, registry.select(call(2)));
        String refusal = String.valueOf(assertThrows(UnsupportedException.class, () -> registry.select(call(1)))
                .getMessage());
        assertTrue(refusal.contains("tagged: it is for 2 ranks a node"), refusal);
    }

    @Test
    void withoutRanksPerNodeItIsForAny() {
        PlanHandle handle = registry.register(program(spec("any")));
        assertEquals(Optional.empty(), handle.ranksPerNode());
        assertEquals(handle, registry.select(call(1)));
        assertEquals(handle, registry.select(call(2)));
    }

    @Test
    void aSelectorSeesTheTags() {
        registry.register(program(spec("slow").tag("rate", 1)));
        PlanHandle fast = registry.register(program(spec("fast").tag("rate", 3)));
        registry.setSelector((candidates, _) -> candidates.stream()
                .filter(plan -> plan.tags().getOrDefault("rate", 0) > 2)
                .findFirst());
        assertEquals(fast, registry.select(call(2)));
    }
}
