package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** A name belongs to one algorithm: a plan, a native algorithm, a program or a fallback. */
class RegisteredAlgorithmsTest {
    private final RegisteredAlgorithms registered =
            new RegisteredAlgorithms(new PlanRegistryImpl(), name -> name.equals("library"));

    private record Own(String name) implements NativeAlgorithm<AutoCloseable> {
        @Override
        public Collective collective() {
            return Collective.ALLREDUCE;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return Optional.empty();
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            return () -> {};
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
    }

    private static void assertRefused(String message, Executable registering) {
        assertEquals(
                message,
                assertThrows(InvalidArgumentException.class, registering).getMessage());
    }

    @Test
    void namesOfOtherAlgorithmsAreRefused() {
        Plan plan = ShippedProgram.SCRATCH.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        registered.plans().register(plan);
        registered.natives().register(new Own("own"));
        assertRefused(
                "algorithm name is \"ring\"; allowed: any that is not that of a shipped program, by which calls name"
                        + " it; rename the algorithm",
                () -> registered.natives().register(new Own("ring")));
        assertRefused(
                "algorithm name is \"library\"; allowed: any that is not that of a fallback, by which calls name it;"
                        + " rename the algorithm",
                () -> registered.natives().register(new Own("library")));
        assertRefused(
                "algorithm name is \"" + plan.name() + "\"; allowed: any that is not that of a registered plan, by"
                        + " which calls name it; rename the algorithm",
                () -> registered.natives().register(new Own(plan.name())));
        registered.plans().unregister(plan.name());
        registered.natives().register(new Own(plan.name()));
        assertRefused(
                "plan name is \"" + plan.name() + "\"; allowed: any that is not that of a native algorithm, by which"
                        + " calls name it; rename the plan",
                () -> registered.plans().register(plan));
        assertEquals(List.of(), registered.plans().plans());
    }

    @Test
    void namesThatCallsAndFilesReadOtherwiseAreRefused() {
        for (String name : List.of("packets@8", "own@8x512", "own@x4")) {
            assertRefused(
                    "algorithm name is \"" + name + "\"; allowed: any that does not end in @ and numbers, by which"
                            + " calls name blocks and threads; rename the algorithm",
                    () -> registered.natives().register(new Own(name)));
        }
        assertRefused(
                "algorithm name is \"default\"; allowed: any that is not that of the communicator's own choice in"
                        + " tuning files, by which calls name it; rename the algorithm",
                () -> registered.natives().register(new Own("default")));
        registered.natives().register(new Own("own@home"));
    }

    @Test
    void whatIsNotRegisteredIsNotRemoved() {
        registered.natives().register(new Own("own"));
        assertRefused(
                "algorithm name is \"other\"; allowed: a registered algorithm: [own]",
                () -> registered.natives().unregister("other"));
        assertRefused(
                "plan name is \"other\"; allowed: a registered plan: []",
                () -> registered.plans().unregister("other"));
    }
}
