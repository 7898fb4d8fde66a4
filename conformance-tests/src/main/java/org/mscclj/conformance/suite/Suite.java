package org.mscclj.conformance.suite;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.group.GroupPool;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.rule.Scope;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * Checks one implementation against all rules, in one mode. Rules are checked in their order, each at most once, as
 * later rules depend on earlier ones. Used by one thread.
 */
public final class Suite implements AutoCloseable {
    /** After this number of failed cases the suite tries no more cases of a rule. */
    private static final int MAX_FAILURES = 5;

    private static final int MAX_REASONS = 3;

    private final Mode mode;
    private final SuiteOptions options;
    private final Capabilities capabilities;
    private final GroupPool pool;
    private final Map<String, RuleResult> results = new HashMap<>();
    private final TriedCases tried = new TriedCases();

    /**
     * Creates a suite.
     *
     * @param groups opens the implementation's groups
     * @param capabilities what the implementation declares
     */
    public Suite(Mode mode, SuiteOptions options, RankGroups groups, Capabilities capabilities) {
        this.mode = mode;
        this.options = options;
        this.capabilities = capabilities;
        this.pool = new GroupPool(groups, mode);
    }

    /** Checks all rules. */
    public List<RuleResult> run(Consumer<RuleResult> progress) {
        return run(Rules.all(), progress);
    }

    /** Checks some rules, and the rules that they presuppose. */
    public List<RuleResult> run(List<Rule> some, Consumer<RuleResult> progress) {
        Set<Rule> wanted = new LinkedHashSet<>();
        some.forEach(rule -> addWithGranted(rule, wanted));
        List<Rule> inOrder = new ArrayList<>(Rules.all());
        inOrder.retainAll(wanted);
        wanted.removeAll(inOrder);
        inOrder.addAll(wanted); // about algorithms that the suite does not know
        List<RuleResult> all = new ArrayList<>();
        for (Rule rule : inOrder) {
            RuleResult result = check(rule);
            progress.accept(result);
            all.add(result);
        }
        return all;
    }

    private static void addWithGranted(Rule rule, Set<Rule> to) {
        if (to.add(rule)) {
            rule.after().forEach(id -> addWithGranted(Rules.find(id), to));
        }
    }

    /** Checks a rule, and before it the rules that it presupposes. A rule that was checked is not checked again. */
    public RuleResult check(Rule rule) {
        RuleResult known = results.get(rule.id());
        if (known != null) {
            return known;
        }
        Optional<RuleResult> broken =
                presupposed(rule).filter(result -> !isKept(result)).findFirst();
        long start = System.nanoTime();
        RuleResult result;
        Optional<String> untested = rule.untestedIn(mode);
        if (untested.isPresent()) {
            result = result(rule, Outcome.UNTESTED, untested.get(), 0, List.of(), start);
        } else if (!capabilities.features().contains(modeFeature())) {
            result = strict(result(rule, Outcome.SKIPPED, modeFeature() + " is not declared", 0, List.of(), start));
        } else if (broken.isPresent()) {
            result = result(
                    rule,
                    Outcome.NOT_JUDGED,
                    "not judged, since rule " + broken.get().rule().id() + " is "
                            + broken.get().outcome().label(),
                    0,
                    List.of(),
                    start);
        } else {
            result = strict(options.exclusions().apply(tryCases(rule, start), LocalDate.now(ZoneOffset.UTC)));
        }
        results.put(rule.id(), result);
        return result;
    }

    /**
     * Checks what a rule presupposes. A rule that does not bind the backend says nothing about it, so that what that
     * rule presupposes counts in its place.
     */
    private Stream<RuleResult> presupposed(Rule rule) {
        return rule.after().stream()
                .map(Rules::find)
                .flatMap(granted -> granted.isFor(capabilities) ? Stream.of(check(granted)) : presupposed(granted));
    }

    private static boolean isKept(RuleResult result) {
        return switch (result.outcome()) {
            case PASSED, WARNED, EXCLUDED, UNTESTED -> true;
            // Cases that failed in another way do not break this rule, and the rule that judges them must not wait for
            // it.
            case NOT_JUDGED -> result.cases() > 0;
            case FAILED, SKIPPED -> false;
        };
    }

    private RuleResult strict(RuleResult result) {
        return options.strict() && result.outcome() == Outcome.SKIPPED
                ? result.with(Outcome.FAILED, "skipped, which strict mode does not allow: " + result.reason())
                : result;
    }

    private RuleResult tryCases(Rule rule, long start) {
        List<TestCase> cases =
                rule.cases(new Scope(mode, capabilities, options.depth(), options.worlds(), options.seed()));
        List<CaseResult> notable = new ArrayList<>();
        int done = 0;
        int failed = 0;
        for (TestCase wanted : cases) {
            TestCase test = wanted.graph(wanted.graph() || options.graphs());
            CaseResult result = tryCase(rule, test);
            done++;
            if (result.outcome() != Outcome.PASSED) {
                notable.add(result);
                failed += result.outcome() == Outcome.FAILED ? 1 : 0;
            }
            if (failed == MAX_FAILURES || (failed > 0 && hasWaited(rule, test))) {
                break;
            }
        }
        return summary(rule, done, notable, start);
    }

    /**
     * Returns problems that no rule reports. First, closes the groups and returns what failed then. If no rule is
     * broken, also returns findings that no rule judges, and rules that were not judged: the suite has then proved
     * nothing. A skip explains unjudged rules only if something works at all: an implementation that refuses every call
     * obeys no rule.
     *
     * @return empty if all is well
     */
    public List<Unexplained> unexplained() {
        pool.close();
        List<Unexplained> all = new ArrayList<>();
        pool.closingFailures().forEach(failure -> all.add(new Unexplained(mode, "closing a group", failure)));
        if (!has(Outcome.FAILED) && !has(Outcome.EXCLUDED)) {
            all.addAll(tried.unjudged(mode));
            RuleResult first = results.get(Rules.all().getFirst().id());
            boolean works = first != null && isKept(first);
            if (!works || !has(Outcome.SKIPPED)) {
                results.values().stream()
                        .filter(result -> result.outcome() == Outcome.NOT_JUDGED)
                        .forEach(result ->
                                all.add(new Unexplained(mode, result.rule().testName(), result.reason())));
            }
        }
        return all;
    }

    private boolean has(Outcome outcome) {
        return results.values().stream().anyMatch(result -> result.outcome() == outcome);
    }

    /** Returns whether the ranks waited in vain. In further cases they would only wait again. */
    private boolean hasWaited(Rule rule, TestCase test) {
        return tried.verdicts(rule, test).orElse(List.of()).stream()
                .flatMap(verdict -> verdict.findings().stream())
                .anyMatch(finding -> finding.kind() == FindingKind.TIMED_OUT || finding.kind() == FindingKind.HUNG);
    }

    /** Tries one case of a rule. */
    public CaseResult tryCase(Rule rule, TestCase test) {
        if (test.mode() != mode) {
            throw InvalidArgumentException.of("mode of the case", test.mode(), mode.label() + ", that of the suite");
        }
        try {
            if (tried.verdicts(rule, test).isEmpty()) {
                tried.add(rule, test, pool.run(test, rule.check(), rule.groupKind(), rule.spoilsGroup()));
            }
            tried.judged(rule, test, judgedBy(rule));
            return Judge.judge(rule, test, tried.verdicts(rule, test).orElseThrow());
        } catch (MsccljException e) {
            return new CaseResult(test, Outcome.FAILED, "no group could be opened: " + e.getMessage());
        } catch (RuntimeException | Error e) { // the implementation may throw anything
            return new CaseResult(test, Outcome.FAILED, "the implementation threw " + e);
        }
    }

    /**
     * Returns the kinds of findings that a rule judges. If the rule is about something undeclared, these are all kinds:
     * each finding is either allowed or breaks the rule.
     */
    private Set<FindingKind> judgedBy(Rule rule) {
        return rule.isOfTheUndeclared() || isUndeclared(rule) ? EnumSet.allOf(FindingKind.class) : rule.breaking();
    }

    private boolean isUndeclared(Rule rule) {
        return rule.feature()
                .filter(feature -> !capabilities.features().contains(feature))
                .isPresent();
    }

    private Feature modeFeature() {
        return mode.isOfProcesses() ? Feature.RANKS_AS_PROCESSES : Feature.RANKS_AS_THREADS;
    }

    /** Returns the result of a rule from its worst case. A feature that is not declared need not work. */
    private RuleResult summary(Rule rule, int cases, List<CaseResult> notable, long start) {
        EnumSet<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        notable.forEach(result -> outcomes.add(result.outcome()));
        if (isUndeclared(rule)) {
            String feature = rule.feature().orElseThrow().toString();
            return cases > 0 && notable.isEmpty()
                    ? result(
                            rule,
                            Outcome.WARNED,
                            feature + " works, but is not declared; declare it",
                            cases,
                            notable,
                            start)
                    : result(rule, Outcome.SKIPPED, feature + " is not declared", cases, List.of(), start);
        }
        if (cases == 0) {
            return rule.isOfTheUndeclared()
                    ? result(rule, Outcome.PASSED, "", 0, List.of(), start)
                    : result(rule, Outcome.SKIPPED, "nothing that is declared has a case", 0, List.of(), start);
        }
        for (Outcome outcome : List.of(Outcome.FAILED, Outcome.WARNED)) {
            if (outcomes.contains(outcome)) {
                return result(rule, outcome, firstReason(notable, outcome), cases, notable, start);
            }
        }
        for (Outcome outcome : List.of(Outcome.NOT_JUDGED, Outcome.SKIPPED)) {
            if (outcomes.contains(outcome) && notable.size() == cases) {
                return result(rule, outcome, firstReason(notable, outcome), cases, notable, start);
            }
        }
        // Some cases could not be tried; strict mode does not accept that either.
        Outcome outcome = options.strict() && !notable.isEmpty() ? Outcome.SKIPPED : Outcome.PASSED;
        return result(rule, outcome, partly(cases, notable), cases, notable, start);
    }

    /** Returns how many cases prove nothing, and why; empty if none. */
    private static String partly(int cases, List<CaseResult> notable) {
        Map<String, Long> reasons = notable.stream()
                .collect(Collectors.groupingBy(
                        result -> result.outcome().label() + ": " + result.reason(),
                        LinkedHashMap::new,
                        Collectors.counting()));
        return reasons.entrySet().stream()
                .map(reason -> reason.getValue() + " of " + cases + " cases " + reason.getKey())
                .limit(MAX_REASONS)
                .collect(Collectors.joining("; "));
    }

    private static String firstReason(List<CaseResult> notable, Outcome outcome) {
        return notable.stream()
                .filter(result -> result.outcome() == outcome)
                .map(CaseResult::reason)
                .findFirst()
                .orElse("");
    }

    private RuleResult result(
            Rule rule, Outcome outcome, String reason, int cases, List<CaseResult> notable, long start) {
        return new RuleResult(rule, mode, outcome, reason, cases, notable, Duration.ofNanos(System.nanoTime() - start));
    }

    @Override
    public void close() {
        pool.close();
    }
}
