package org.mscclj.conformance.rule;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.conformance.rank.Checks;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.spi.Feature;

/** The forms that most rules have: what breaks them, and which others they presuppose. */
final class RuleForms {
    /** One check for all rules about a single result, so that a case which several of them share runs once. */
    static final RankCheck RESULT = Checks.result();

    /** Any way in which a call of a new shape can go wrong, when the same call of the usual shape is known to work. */
    static final Set<FindingKind> ANY_RESULT = Collections.unmodifiableSet(EnumSet.of(
            FindingKind.WRONG,
            FindingKind.MISSING,
            FindingKind.MISPLACED,
            FindingKind.OTHER_OPERATION,
            FindingKind.OUTSIDE,
            FindingKind.INPUT_CHANGED,
            FindingKind.LATE,
            FindingKind.TIMED_OUT,
            FindingKind.HUNG,
            FindingKind.REJECTED,
            FindingKind.ERROR,
            FindingKind.ABORTED,
            FindingKind.BEHAVIOUR));

    static final List<String> BASICS = List.of(
            "spec0605_launchesEnd",
            "spec0603_joinedMeansDone",
            "spec0902_everyElementIsWritten",
            "spec0903_everyElementIsInItsPlace",
            "spec0901_resultsAreRight");

    /** What calls of the usual shape are known to keep, for rules about other ones. */
    static final List<String> SOUND = Stream.concat(
                    BASICS.stream(), Stream.of("spec0104_inputsAreNotChanged", "spec0105_nothingElseIsWritten"))
            .toList();

    /** Graphs that replay at all, as rules about how they do presuppose. */
    static final List<String> REPLAYED = List.of("spec0608_graphsAreReplayedBetweenLaunches");

    private RuleForms() {}

    /** Holds for calls of a new shape, if those of the usual one are sound. */
    static Rule shape(String id, String statement, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, RESULT, source).after(SOUND);
    }

    /** Holds for the usual call, checked in a way of its own. */
    static Rule behaviour(String id, String statement, RankCheck check) {
        return Rule.required(id, statement, ANY_RESULT, check, (scope, rule) -> List.of(scope.usual(rule)))
                .after(SOUND);
    }

    /** Holds for messages, over a few numbers of ranks. */
    static Rule message(String id, String statement, RankCheck check) {
        return Rule.required(
                        id,
                        statement,
                        ANY_RESULT,
                        check,
                        (scope, rule) -> scope.fewWorlds().stream()
                                .map(scope.usual(rule)::world)
                                .toList())
                .ifDeclared(Feature.POINT_TO_POINT)
                .after(List.of());
    }

    /** Holds for graphs, if launches are sound. */
    static Rule graphs(String id, String statement, RankCheck check, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, check, source)
                .ifDeclared(Feature.GRAPH_CAPTURE)
                .after(SOUND);
    }

    /** Any way to go wrong, and one more. */
    static Set<FindingKind> with(FindingKind kind) {
        EnumSet<FindingKind> kinds = EnumSet.copyOf(ANY_RESULT);
        kinds.add(kind);
        return kinds;
    }

    /** Sound calls, and more that a rule presupposes. */
    static List<String> with(String... more) {
        return Stream.concat(SOUND.stream(), Arrays.stream(more)).distinct().toList();
    }
}
