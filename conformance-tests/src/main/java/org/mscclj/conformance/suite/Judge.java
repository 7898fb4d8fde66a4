package org.mscclj.conformance.suite;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.Finding;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.TestCase;

/** Combines the verdicts of all ranks about a case into one result. */
final class Judge {
    /** Findings after which the other findings of a rank prove nothing. */
    private static final Set<FindingKind> BLOCKING = EnumSet.of(
            FindingKind.TIMED_OUT,
            FindingKind.HUNG,
            FindingKind.ERROR,
            FindingKind.REJECTED,
            FindingKind.ABORTED,
            FindingKind.LATE);

    private Judge() {}

    static CaseResult judge(Rule rule, TestCase test, List<RankVerdict> verdicts) {
        if (rule.isOfTheUndeclared()) {
            return judgeUndeclared(rule, test, verdicts);
        }
        List<RankVerdict> taking = verdicts.stream()
                .filter(verdict -> !has(verdict, FindingKind.NO_PART))
                .toList();
        if (taking.isEmpty()) {
            return new CaseResult(
                    test, Outcome.SKIPPED, "no rank has a part: " + texts(verdicts, EnumSet.of(FindingKind.NO_PART)));
        }
        long refusals = taking.stream()
                .filter(verdict -> has(verdict, FindingKind.UNSUPPORTED))
                .count();
        if (refusals > 0 && refusals < taking.size()) {
            return new CaseResult(
                    test,
                    Outcome.FAILED,
                    "some ranks refuse, others do not: " + texts(taking, EnumSet.allOf(FindingKind.class)));
        }
        String broken = texts(verdicts, rule.breaking());
        if (broken.isEmpty() && rule.breaking().contains(FindingKind.UNEQUAL)) {
            broken = unequal(test, verdicts);
        }
        if (!broken.isEmpty()) {
            return new CaseResult(test, Outcome.FAILED, broken);
        }
        if (refusals > 0) {
            return new CaseResult(
                    test, Outcome.SKIPPED, "not supported: " + texts(verdicts, EnumSet.of(FindingKind.UNSUPPORTED)));
        }
        String blocked = texts(verdicts, BLOCKING);
        return blocked.isEmpty()
                ? new CaseResult(test, Outcome.PASSED, "")
                : new CaseResult(
                        test, Outcome.NOT_JUDGED, "the case failed in a way that other rules judge: " + blocked);
    }

    private static CaseResult judgeUndeclared(Rule rule, TestCase test, List<RankVerdict> verdicts) {
        String broken = texts(verdicts, rule.breaking());
        if (!broken.isEmpty()) {
            return new CaseResult(test, Outcome.FAILED, "not declared, and not refused either: " + broken);
        }
        if (verdicts.stream().allMatch(verdict -> verdict.findings().isEmpty())) {
            return new CaseResult(test, Outcome.WARNED, "works, but is not declared; declare it");
        }
        boolean refused = verdicts.stream()
                .allMatch(verdict -> has(verdict, FindingKind.UNSUPPORTED) || has(verdict, FindingKind.REJECTED));
        return refused
                ? new CaseResult(test, Outcome.PASSED, "")
                : new CaseResult(
                        test,
                        Outcome.FAILED,
                        "not declared, and not refused by every rank: "
                                + texts(verdicts, EnumSet.allOf(FindingKind.class)));
    }

    private static boolean has(RankVerdict verdict, FindingKind kind) {
        return verdict.findings().stream().anyMatch(finding -> finding.kind() == kind);
    }

    /** Returns the first findings of these kinds. */
    static String texts(List<RankVerdict> verdicts, Set<FindingKind> kinds) {
        return verdicts.stream()
                .flatMap(verdict -> verdict.findings().stream()
                        .filter(finding -> kinds.contains(finding.kind()))
                        .map((Finding finding) ->
                                "rank " + verdict.rank() + " " + finding.kind() + ": " + finding.text()))
                .limit(4)
                .collect(Collectors.joining("; "));
    }

    private static String unequal(TestCase test, List<RankVerdict> verdicts) {
        boolean sameOutput = test.collective() == Collective.ALLREDUCE
                || test.collective() == Collective.ALLGATHER
                || test.collective() == Collective.BROADCAST;
        if (!sameOutput
                || verdicts.stream().anyMatch(verdict -> !verdict.findings().isEmpty())) {
            return "";
        }
        List<Integer> others = verdicts.stream()
                .filter(verdict -> verdict.digest() != verdicts.getFirst().digest())
                .map(RankVerdict::rank)
                .toList();
        return others.isEmpty() ? "" : "ranks " + others + " hold other bits than rank 0";
    }
}
