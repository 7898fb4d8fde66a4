package org.mscclj.cli.stress.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.spi.Feature;

class ChaosCaseTest {
    private static final Set<Feature> ALL = EnumSet.allOf(Feature.class);
    private static final int MANY = 400;

    private static List<ChaosCase> draw(long seed) {
        return IntStream.range(0, MANY)
                .mapToObj(number -> ChaosCase.draw(seed, number, ALL))
                .toList();
    }

    @Test
    void aSeedGivesTheSameCasesAgainAndAnotherSeedOthers() {
        assertEquals(draw(1), draw(1));
        assertFalse(draw(1).equals(draw(2)));
    }

    /** The 40 cases of CI are enough for that, whatever the seed is. */
    @Test
    void everyPhaseIsCombinedWithEveryFault() {
        assertEquals(
                Phase.values().length * ProcessFault.values().length,
                draw(3).subList(0, 40).stream().map(ChaosCase::kind).distinct().count());
    }

    @Test
    void rankZeroAndPairsAndNodesAndSecondHarmsAndNewcomersAreAmongThem() {
        for (Phase phase : Phase.values()) {
            List<ChaosCase> cases =
                    draw(4).stream().filter(drawn -> drawn.phase() == phase).toList();
            assertTrue(cases.stream().anyMatch(drawn -> drawn.harmed().contains(0)), phase::toString);
            assertTrue(cases.stream().anyMatch(drawn -> drawn.harmed().size() == 2), phase::toString);
            assertTrue(cases.stream().anyMatch(drawn -> !drawn.isOnOneNode()), phase::toString);
            assertTrue(cases.stream().anyMatch(ChaosCase::reconfigures), phase::toString);
            assertTrue(cases.stream().anyMatch(drawn -> drawn.again().isPresent()), phase::toString);
        }
    }

    @Test
    void atLeastTwoSurvive() {
        for (ChaosCase drawn : draw(5)) {
            List<Integer> left = drawn.left();
            assertEquals(drawn.ranks() - drawn.harmed().size(), left.size(), drawn::toString);
            assertTrue(left.contains(drawn.late()), drawn::toString);
            assertTrue(left.size() >= (drawn.again().isPresent() ? 3 : 2), drawn::toString);
            drawn.again()
                    .ifPresent(again -> assertTrue(
                            drawn.reconfigures() ? again.rank() < drawn.ranks() : left.contains(again.rank()),
                            drawn::toString));
            assertEquals(0, drawn.ranks() % drawn.ranksPerNode(), drawn::toString);
        }
    }

    @Test
    void operationsBelongToOnePhaseEachButThoseThatAreFirstCalls() {
        Set<String> found = Set.of(Phase.values()).stream()
                .filter(phase -> phase != Phase.FIRST_CALL)
                .flatMap(phase -> phase.operations(ALL).stream())
                .collect(Collectors.toSet());
        long number = Set.of(Phase.values()).stream()
                .filter(phase -> phase != Phase.FIRST_CALL)
                .mapToLong(phase -> phase.operations(ALL).size())
                .sum();
        assertEquals(found.size(), number);
        for (Phase phase : Phase.values()) {
            boolean repeats = phase.course() == Phase.Course.OPERATION || phase.course() == Phase.Course.FIRST_CALL;
            assertEquals(!repeats, phase.operations(ALL).isEmpty(), phase::toString);
        }
    }
}
