package org.mscclj.conformance.rule;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.spi.Feature;

/** The common forms of rules: the kinds of findings that break a rule, and the rules that it presupposes. */
final class RuleForms {
    /** One check for all rules about a single result, so that a case of several rules runs once. */
    static final RankCheck RESULT = ResultChecks.result();

    /** All ways in which a call of a new shape can fail, if the call of the usual shape works. */
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

    /** The rules that calls of the usual shape obey. Rules about other shapes presuppose them. */
    static final List<String> SOUND = Stream.concat(
                    BASICS.stream(), Stream.of("spec0104_inputsAreNotChanged", "spec0105_nothingElseIsWritten"))
            .toList();

    /** The rule that graphs can be replayed at all. Rules about the details of replays presuppose it. */
    static final List<String> REPLAYED = List.of("spec0608_graphsAreReplayedBetweenLaunches");

    private RuleForms() {}

    /** Returns a rule about calls of a new shape, which presupposes that calls of the usual shape are sound. */
    static Rule shape(String id, String statement, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, RESULT, source).after(SOUND);
    }

    /**
     * Returns the id of the rule about an algorithm that calls name, for example {@code spec0806_packetsTwoShotByName}.
     *
     * @param prefix the number of the rule
     * @param name the name of the algorithm; of it only letters and digits of ASCII count
     */
    static String idByName(String prefix, String name) {
        String words = Pattern.compile("[^a-zA-Z0-9]+")
                .splitAsStream(name)
                .filter(word -> !word.isEmpty())
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining("", "", "ByName"));
        return prefix + words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }

    /** Returns a rule about the usual call, with a check of its own. */
    static Rule behaviour(String id, String statement, RankCheck check) {
        return Rule.required(id, statement, ANY_RESULT, check, (scope, rule) -> List.of(scope.usual(rule)))
                .after(SOUND);
    }

    /** Returns a rule about point-to-point, over a few numbers of ranks. */
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

    /** Returns a rule about graphs, which presupposes that launches are sound. */
    static Rule graphs(String id, String statement, RankCheck check, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, check, source)
                .ifDeclared(Feature.GRAPH_CAPTURE)
                .after(SOUND);
    }

    /** Returns all ways to fail, and one more. */
    static Set<FindingKind> with(FindingKind kind) {
        EnumSet<FindingKind> kinds = EnumSet.copyOf(ANY_RESULT);
        kinds.add(kind);
        return kinds;
    }

    /** Returns the rules of sound calls, and more rules. */
    static List<String> with(String... more) {
        return Stream.concat(SOUND.stream(), Arrays.stream(more)).distinct().toList();
    }
}
