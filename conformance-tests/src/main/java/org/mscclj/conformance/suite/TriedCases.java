package org.mscclj.conformance.suite;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/**
 * All cases that were tried: the findings of the ranks, and the kinds of findings that some rule has judged. Used by
 * one thread.
 */
final class TriedCases {
    /** The kinds that the result of a case reports by itself. */
    private static final Set<FindingKind> TOLD = EnumSet.of(FindingKind.NO_PART, FindingKind.UNSUPPORTED);

    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    /** A check on a case, independent of the rule. */
    private record Key(RankCheck check, TestCase test) {
        static Key of(Rule rule, TestCase test) {
            return new Key(rule.check(), test.rule("-"));
        }
    }

    /**
     * A case.
     *
     * @param test the case, with the first rule that used it
     * @param judged kinds of findings that break one of the rules that used it
     */
    private record Entry(TestCase test, List<RankVerdict> verdicts, Set<FindingKind> judged) {}

    /** Returns the verdicts of the ranks if the case was tried. */
    Optional<List<RankVerdict>> verdicts(Rule rule, TestCase test) {
        return Optional.ofNullable(entries.get(Key.of(rule, test))).map(Entry::verdicts);
    }

    /** Adds a case that was tried. */
    void add(Rule rule, TestCase test, List<RankVerdict> verdicts) {
        entries.put(Key.of(rule, test), new Entry(test, verdicts, EnumSet.noneOf(FindingKind.class)));
    }

    /** Marks kinds of findings of a case as judged by a rule. */
    void judged(Rule rule, TestCase test, Set<FindingKind> kinds) {
        Optional.ofNullable(entries.get(Key.of(rule, test)))
                .ifPresent(entry -> entry.judged().addAll(kinds));
    }

    /** Returns the cases with findings of kinds that none of their rules judges. */
    List<Unexplained> unjudged(Mode mode) {
        List<Unexplained> all = new ArrayList<>();
        for (Entry entry : entries.values()) {
            EnumSet<FindingKind> others = EnumSet.allOf(FindingKind.class);
            others.removeAll(entry.judged());
            others.removeAll(TOLD);
            String texts = Judge.texts(entry.verdicts(), others);
            if (!texts.isEmpty()) {
                all.add(new Unexplained(mode, entry.test().line(), "no rule of this case judges " + texts));
            }
        }
        return all;
    }
}
