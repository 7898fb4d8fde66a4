package org.mscclj.conformance.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;

class ExclusionsTest {
    private static final LocalDate LAST = LocalDate.of(2027, 1, 31);
    private static final Exclusions EXCLUSIONS = Exclusions.parse(
            "file",
            List.of(
                    "# known",
                    "",
                    "spec0101_everyCount | threads | 2027-01-31 | odd counts come with the next kernel"));

    private static RuleResult result(Outcome outcome, Mode mode) {
        return new RuleResult(
                Rules.find("spec0101_everyCount"), mode, outcome, "count 3 is wrong", 9, List.of(), Duration.ZERO);
    }

    @Test
    void aFailureIsExcludedUntilItsLastDay() {
        RuleResult excluded = EXCLUSIONS.apply(result(Outcome.FAILED, Mode.THREADS), LAST);
        assertEquals(Outcome.EXCLUDED, excluded.outcome());
        assertTrue(excluded.reason().contains("odd counts"), excluded::reason);
        RuleResult expired = EXCLUSIONS.apply(result(Outcome.FAILED, Mode.THREADS), LAST.plusDays(1));
        assertEquals(Outcome.FAILED, expired.outcome());
        assertTrue(expired.reason().contains("expired on 2027-01-31"), expired::reason);
    }

    @Test
    void anExpiredLineFailsAlsoIfTheRuleIsKept() {
        assertEquals(
                Outcome.FAILED,
                EXCLUSIONS
                        .apply(result(Outcome.PASSED, Mode.THREADS), LAST.plusDays(1))
                        .outcome());
    }

    @Test
    void aLineThatIsNotNeededIsAWarning() {
        assertEquals(
                Outcome.WARNED,
                EXCLUSIONS.apply(result(Outcome.PASSED, Mode.THREADS), LAST).outcome());
    }

    @Test
    void otherModesAreNotExcluded() {
        assertEquals(
                Outcome.FAILED,
                EXCLUSIONS.apply(result(Outcome.FAILED, Mode.NODES), LAST).outcome());
    }

    @Test
    void aBadLineIsNamed() {
        for (String line : List.of(
                "spec0101_everyCount | threads | 2027-01-31 |",
                "spec0101_everyCount | threads | soon | why",
                "spec9999_nothing | * | 2027-01-31 | why")) {
            assertThrows(InvalidArgumentException.class, () -> Exclusions.parse("file", List.of(line)), line);
        }
    }
}
