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
 * Every case that was tried: what its ranks found, and which kinds of findings some rule has judged. Used by one
 * thread.
 */
final class TriedCases {
    /** What is told of a case by itself. */
    private static final Set<FindingKind> TOLD = EnumSet.of(FindingKind.NO_PART, FindingKind.UNSUPPORTED);

    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    /** A check on a case, whatever rule asks for it. */
    private record Key(RankCheck check, TestCase test) {
        static Key of(Rule rule, TestCase test) {
            return new Key(rule.check(), test.rule("-"));
        }
    }

    /**
     * A case.
     *
     * @param test with the rule that asked first
     * @param judged kinds of findings that break one of the rules that asked
     */
    private record Entry(TestCase test, List<RankVerdict> verdicts, Set<FindingKind> judged) {}

    /** What ranks said, if the case was tried. */
    Optional<List<RankVerdict>> verdicts(Rule rule, TestCase test) {
        return Optional.ofNullable(entries.get(Key.of(rule, test))).map(Entry::verdicts);
    }

    /** A case was tried. */
    void add(Rule rule, TestCase test, List<RankVerdict> verdicts) {
        entries.put(Key.of(rule, test), new Entry(test, verdicts, EnumSet.noneOf(FindingKind.class)));
    }

    /** A rule has looked at a case, and at these kinds of findings. */
    void judged(Rule rule, TestCase test, Set<FindingKind> kinds) {
        Optional.ofNullable(entries.get(Key.of(rule, test)))
                .ifPresent(entry -> entry.judged().addAll(kinds));
    }

    /** Cases with findings of kinds that none of their rules judges. */
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
