package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.language.selection.PlanNeeds;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.SumForm;

/** Selections of random calls, with all that may serve them, on random ranks. */
class SelectionPropertiesTest {
    private static final int CASES = 300;
    private static final int TOLD_IN = 8;
    private static final int MOST_CASES = 10 * CASES;

    /** What chosen algorithms are, so that the cases show something of each. */
    private enum Served {
        PLAN,
        NATIVE,
        MEASURED_NATIVE,
        PROGRAM,
        FALLBACK,
        FORCED,
        NOTHING
    }

    private static final int KINDS = Served.values().length;

    private final long seed = Long.getLong("mscclj.seed", System.nanoTime());

    @BeforeEach
    void printSeed() {
        System.out.println("SelectionPropertiesTest: -Dmscclj.seed=" + seed);
    }

    private static Served served(SelectionCase one, Optional<Choice> chosen) {
        if (chosen.isEmpty()) {
            return Served.NOTHING;
        }
        return switch (chosen.get()) {
            case Choice.OfPlan plan -> plan.shipped() ? Served.PROGRAM : Served.PLAN;
            case Choice.OfNative own -> one.isMeasured(own.nativeAlgorithm()) ? Served.MEASURED_NATIVE : Served.NATIVE;
            case Choice.OfFallback _ ->
                one.library().isForced(one.call().collective()) ? Served.FORCED : Served.FALLBACK;
        };
    }

    private static void assertFits(SelectionCase one, Choice choice) {
        switch (choice) {
            case Choice.OfNative own -> assertNativeFits(one, own);
            case Choice.OfFallback library -> {
                assertEquals(RandomLibrary.NAME, library.algorithm());
                assertTrue(one.library().installed());
                assertEquals(Optional.empty(), one.library().refusal(one.call().forFallback()));
                assertTrue(one.takesNoNativeArguments());
            }
            case Choice.OfPlan plan -> {
                assertTrue(one.capabilities().features().contains(Feature.PLANS));
                assertPlanFits(one, plan);
                assertTrue(one.takesNoNativeArguments());
            }
        }
    }

    private static void assertNativeFits(SelectionCase one, Choice.OfNative choice) {
        RandomNative own = (RandomNative) choice.nativeAlgorithm();
        assertEquals(one.call().collective(), own.collective());
        assertEquals(Role.ITSELF, one.call().role());
        assertTrue(own.fits(one.shape()), own::toString);
        assertEquals(
                Optional.empty(),
                own.allowedArguments().refusal(choice.size(), one.call().arguments()));
        assertTrue(one.capabilities().features().contains(Feature.DEVICE_CHANNELS));
    }

    private static void assertPlanFits(SelectionCase one, Choice.OfPlan choice) {
        Plan plan = choice.plan();
        CallDescriptor call = one.call();
        assertEquals(call.collective(), plan.collective());
        assertEquals(one.ranks(), plan.worldSize());
        PlanNeeds needs = PlanNeeds.of(plan, one.nodes().ofRanks());
        boolean addends = SumForm.isFor(call.op().kind(), one.ranks());
        assertTrue(one.registered() || addends || !needs.registeredBuffers());
        assertTrue(one.capabilities().features().contains(Feature.MULTICAST) || !needs.multicast());
        assertEquals(Optional.empty(), one.obstacles().of(needs.mappedPeers()));
        if (!choice.shipped()) {
            assertTrue(registered(one, plan.name()).fits(one), plan::name);
        }
    }

    private static RandomPlan registered(SelectionCase one, String name) {
        return one.plans().stream()
                .filter(plan -> plan.plan().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Plans are refused if they do not fit, and only then; the selectors choose among the others. */
    private static void assertPlansOf(SelectionCase one, Selection report, Optional<Choice> chosen) {
        List<AlgorithmCandidate> told = report.candidates().stream()
                .filter(candidate -> candidate.kind() == AlgorithmCandidate.Kind.REGISTERED_PLAN)
                .toList();
        assertEquals(
                one.plans().stream().map(plan -> plan.plan().name()).toList(),
                told.stream().map(AlgorithmCandidate::name).toList());
        List<PlanHandle> fitting = new ArrayList<>();
        for (AlgorithmCandidate candidate : told) {
            RandomPlan plan = registered(one, candidate.name());
            assertEquals(
                    plan.fits(one),
                    candidate.decision() != AlgorithmCandidate.Decision.REFUSED,
                    () -> one + ": " + candidate);
            if (plan.fits(one)) {
                fitting.add(plan.handle());
            }
        }
        if (!one.library().isForced(one.call().collective()) || one.call().role() == Role.BARRIER) {
            assertEquals(
                    one.selectors(fitting).map(PlanHandle::id),
                    chosen.filter(choice -> choice instanceof Choice.OfPlan plan && !plan.shipped())
                            .map(Choice::algorithm));
        }
    }

    /** What a report says of a candidate holds for a call that names it. */
    private static void assertTold(SelectionCase one, AlgorithmCandidate candidate, Optional<Choice> chosen) {
        CallDescriptor named = one.naming(candidate.name());
        assertFalse(candidate.reason().isEmpty());
        switch (candidate.decision()) {
            case CHOSEN ->
                assertEquals(chosen.orElseThrow().algorithm(), one.choose(named).algorithm());
            case NOT_NEEDED -> assertEquals(candidate.name(), one.choose(named).algorithm());
            case REFUSED -> {
                if (candidate.reason().equals(MissingNatives.REFUSAL)) {
                    return; // the name means nothing to a call
                }
                UnsupportedException refused =
                        assertThrows(UnsupportedException.class, () -> one.choose(named), () -> one + ": " + candidate);
                assertTrue(String.valueOf(refused.getMessage()).contains(candidate.reason()), refused::getMessage);
            }
        }
    }

    /** Compiling all programs that could serve a call as well takes most of the time: each is one of several. */
    private static boolean isTold(AlgorithmCandidate candidate, int number) {
        return candidate.decision() != AlgorithmCandidate.Decision.NOT_NEEDED
                || candidate.kind() != AlgorithmCandidate.Kind.SHIPPED_PROGRAM
                || Math.floorMod(candidate.name().hashCode() + number, TOLD_IN) == 0;
    }

    /** The reasons that an exception gives are those of the report, and of no other candidate. */
    private static void assertReasonsOfAll(SelectionCase one, Selection report) {
        String message = String.valueOf(assertThrows(UnsupportedException.class, () -> one.choose(one.call()))
                .getMessage());
        for (AlgorithmCandidate candidate : report.candidates()) {
            boolean isTold = switch (candidate.kind()) {
                case FALLBACK -> true;
                case SHIPPED_PROGRAM -> false; // one reason may stand for all
                default -> !one.selection().isForced(one.call());
            };
            if (isTold) {
                assertTrue(
                        message.contains(candidate.name() + ": " + candidate.reason()),
                        () -> candidate + ": " + message);
            }
        }
    }

    @Test
    void chosenAlgorithmsFitAndRanksChooseAlike() {
        RandomCases cases = new RandomCases(seed);
        Set<Served> seen = EnumSet.noneOf(Served.class);
        for (int number = 0; number < CASES || (number < MOST_CASES && seen.size() < KINDS); number++) {
            SelectionCase one = cases.next();
            Optional<Choice> chosen = one.chosen();
            chosen.ifPresent(choice -> assertFits(one, choice));
            assertEquals(
                    chosen.map(Choice::signature), one.chosen().map(Choice::signature), "the choice of another rank");
            Selection report = SelectionReport.of(one.selection(), one.call(), one.registered(), one.obstacles());
            assertEquals(chosen.map(Choice::algorithm), report.chosen().map(AlgorithmCandidate::name));
            for (AlgorithmCandidate candidate : report.candidates()) {
                if (isTold(candidate, number)) {
                    assertTold(one, candidate, chosen);
                }
            }
            assertPlansOf(one, report, chosen);
            if (chosen.isEmpty()) {
                assertReasonsOfAll(one, report);
            }
            seen.add(served(one, chosen));
        }
        assertEquals(EnumSet.allOf(Served.class), seen, "too few kinds of algorithms serve calls to tell much");
    }

    /** Equal steps of a class of calls have equal algorithms, since a rank does not choose again within a step. */
    @Test
    void sizesOfOneStepHaveOneAlgorithm() {
        RandomCases cases = new RandomCases(seed + 1);
        for (int number = 0; number < CASES; number++) {
            SelectionCase one = cases.next();
            AlgorithmSelection selection = one.selection();
            long slice = one.call().sliceBytes();
            for (long other : new long[] {slice + one.call().type().byteSize(), 2 * slice, slice / 2}) {
                SelectionCase resized = one.resized(
                        other / one.call().type().byteSize() * one.call().type().byteSize());
                if (selection.step(one.call()) == selection.step(resized.call())) {
                    assertEquals(
                            one.chosen().map(Choice::signature),
                            resized.chosen().map(Choice::signature),
                            () -> one.call() + " and " + resized.call());
                }
            }
        }
    }
}
