package org.mscclj.conformance.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.Finding;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

class JudgeTest {
    private static final Rule RULE = Rules.find("spec0902_everyElementIsWritten");
    private static final TestCase CASE = TestCase.of(RULE.id(), Mode.THREADS, 2, DataType.FLOAT32, 1);

    private static Outcome judge(RankVerdict... verdicts) {
        return judge(RULE, verdicts);
    }

    private static Outcome judge(Rule rule, RankVerdict... verdicts) {
        return Judge.judge(rule, CASE, List.of(verdicts)).outcome();
    }

    private static RankVerdict verdict(int rank, FindingKind... kinds) {
        return new RankVerdict(
                rank,
                rank,
                List.of(kinds).stream()
                        .map(kind -> new Finding(kind, "text; of\n" + kind))
                        .toList());
    }

    @Test
    void onlyItsKindsBreakARule() {
        assertEquals(Outcome.PASSED, judge(verdict(0), verdict(1)));
        assertEquals(Outcome.FAILED, judge(verdict(0), verdict(1, FindingKind.MISSING)));
        assertEquals(Outcome.PASSED, judge(verdict(0), verdict(1, FindingKind.OUTSIDE)));
        assertEquals(Outcome.NOT_JUDGED, judge(verdict(0), verdict(1, FindingKind.ERROR)));
    }

    @Test
    void whatIsUndeclaredIsRefusedByAllRanks() {
        Rule rule = Rules.find("spec1102_undeclaredIsRefused");
        RankVerdict refuses = verdict(0, FindingKind.UNSUPPORTED);
        assertEquals(Outcome.PASSED, judge(rule, refuses, verdict(1, FindingKind.REJECTED)));
        assertEquals(Outcome.WARNED, judge(rule, verdict(0), verdict(1)));
        assertEquals(Outcome.FAILED, judge(rule, refuses, verdict(1)));
        assertEquals(Outcome.FAILED, judge(rule, verdict(0, FindingKind.WRONG), verdict(1, FindingKind.WRONG)));
    }

    @Test
    void aSkipIsAgreedByAllRanks() {
        assertEquals(Outcome.SKIPPED, judge(verdict(0, FindingKind.UNSUPPORTED), verdict(1, FindingKind.UNSUPPORTED)));
        assertEquals(Outcome.FAILED, judge(verdict(0), verdict(1, FindingKind.UNSUPPORTED)));
    }

    @Test
    void ranksWithoutAPartHaveNoSay() {
        RankVerdict refuses = verdict(0, FindingKind.UNSUPPORTED);
        RankVerdict fails = verdict(1, FindingKind.MISSING);
        RankVerdict bystander = verdict(2, FindingKind.NO_PART);
        assertEquals(Outcome.SKIPPED, judge(refuses, verdict(1, FindingKind.UNSUPPORTED), bystander));
        assertEquals(Outcome.FAILED, judge(refuses, verdict(1), bystander));
        assertEquals(Outcome.FAILED, judge(verdict(0), fails, bystander));
        assertEquals(Outcome.PASSED, judge(verdict(0), verdict(1), bystander));
        assertEquals(Outcome.SKIPPED, judge(verdict(0, FindingKind.NO_PART), verdict(1, FindingKind.NO_PART)));
    }

    @Test
    void aVerdictsLineIsTheWholeVerdict() {
        RankVerdict verdict = verdict(3, FindingKind.MISSING, FindingKind.OUTSIDE);
        assertEquals(verdict, RankVerdict.parse(verdict.line()));
    }
}
