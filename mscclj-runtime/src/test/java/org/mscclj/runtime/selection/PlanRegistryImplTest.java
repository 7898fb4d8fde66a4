package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

class PlanRegistryImplTest {
    private static Plan named(String name) {
        Plan plan = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        return new Plan(
                name,
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                plan.minMessageSize(),
                plan.maxMessageSize(),
                plan.ranks());
    }

    /** Else a call that names the shipped program would run something else, perhaps on one rank alone. */
    @ParameterizedTest
    @ValueSource(strings = {"ring", "two_level", "PACKETS"})
    void aShippedProgramsNameIsRefused(String name) {
        PlanRegistryImpl registry = new PlanRegistryImpl();
        assertEquals(
                "plan name is \"" + name + "\"; allowed: any that is not that of a shipped program, by which calls name"
                        + " it; rename the plan",
                assertThrows(InvalidArgumentException.class, () -> registry.register(named(name)))
                        .getMessage());
        assertEquals(List.of(), registry.plans());
        assertEquals(0, registry.changes());
    }

    @Test
    void whatOnlyBeginsLikeOneIsTaken() {
        PlanRegistryImpl registry = new PlanRegistryImpl();
        assertEquals("ring_of_mine", registry.register(named("ring_of_mine")).id());
    }

    @Test
    void whatIsUnregisteredIsGone() {
        PlanRegistryImpl registry = new PlanRegistryImpl();
        registry.register(named("one"));
        registry.register(named("two"));
        registry.unregister("one");
        assertEquals(
                List.of("two"), registry.plans().stream().map(PlanHandle::id).toList());
        assertEquals(
                "plan name is \"one\"; allowed: a registered plan: [two]",
                assertThrows(InvalidArgumentException.class, () -> registry.unregister("one"))
                        .getMessage());
        registry.register(named("one")); // its name is free again
        registry.clear();
        assertEquals(List.of(), registry.plans());
        assertEquals(5, registry.changes()); // what was selected before may be another plan now
        registry.clear();
        assertEquals(5, registry.changes());
    }
}
