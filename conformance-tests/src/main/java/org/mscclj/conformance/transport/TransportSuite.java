package org.mscclj.conformance.transport;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rule.Force;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.TimeLimits;

/** Checks one transport against the rules of transports. Each rule has its own pair of ranks. Used by one thread. */
public final class TransportSuite {
    private static final Map<Rule, Check> CHECKS = checks();

    private final Supplier<TransportPair> pairs;
    private final Duration limit;
    private final Function<LocalGroupOptions, LocalGroup> groups;
    private Optional<String> spoiled = Optional.empty();
    private boolean leftBehind;

    @FunctionalInterface
    private interface Check {
        Verdict check(TransportPair pair, Function<LocalGroupOptions, LocalGroup> groups);
    }

    /**
     * Creates a suite over the installed runtime.
     *
     * @param pairs opens pairs of ranks
     * @param timeout the longest time of a single wait; a check may wait more than once
     */
    public TransportSuite(Supplier<TransportPair> pairs, Duration timeout) {
        this(pairs, timeout, LocalGroup::open);
    }

    /**
     * Creates a suite.
     *
     * @param groups opens the ranks that run plans
     */
    public TransportSuite(
            Supplier<TransportPair> pairs, Duration timeout, Function<LocalGroupOptions, LocalGroup> groups) {
        this.pairs = pairs;
        this.limit = TimeLimits.ofCase(timeout);
        this.groups = groups;
    }

    private static Map<Rule, Check> checks() {
        Map<Rule, Check> checks = new LinkedHashMap<>();
        checks.put(
                rule("spec1001_reachingIsMutual", "If a rank reaches another, that one reaches it."),
                judging(TransportChecks::reaches));
        checks.put(
                rule("spec1002_writesLandWhole", "A write of any size and offset brings exactly its bytes."),
                judging(TransportChecks::writes));
        checks.put(
                rule("spec1003_signalsComeAfterWrites", "A reader that sees a signal sees every write before it."),
                judging(TransportChecks::order));
        checks.put(
                rule(
                        "spec1004_completedMeansRead",
                        "What is completed has left its source, which may be changed, and is in its target."),
                judging(TransportChecks::completed));
        checks.put(rule("spec1005_noSignalIsLost", "Every signal adds one."), judging(TransportChecks::signals));
        checks.put(
                rule("spec1006_connectionsAreIndependent", "Any number of connections join two ranks."),
                judging(TransportChecks::connections));
        checks.put(
                rule("spec1007_closingIsIdempotent", "Connections open and close again and again."),
                judging(TransportChecks::closing));
        checks.put(
                Rule.untested(
                        "spec1008_unitsArriveWhole",
                        "tearing shows by chance only; a transport tests its copies, as mscclj-spi's UnitCopyTest does"),
                (pair, groups) -> Verdict.KEPT);
        checks.put(
                rule("spec1009_portPlansRunOverIt", "Plans whose port channels take it compute what they should."),
                PortPlanCheck::check);
        checks.put(
                rule("spec1010_listenersGetSignals", "A connection that says so tells its listener of each signal."),
                judging(TransportChecks::told));
        return checks;
    }

    /** Returns a check from a function that returns what is wrong, or an empty text. */
    private static Check judging(Function<TransportPair, String> check) {
        return (pair, groups) -> Verdict.ofProblem(check.apply(pair));
    }

    private static Rule rule(String id, String statement) {
        return Rule.transport(id, statement);
    }

    /** Returns the rules, in order. */
    public static List<Rule> rules() {
        return List.copyOf(CHECKS.keySet());
    }

    /** Checks a rule. */
    public RuleResult check(Rule rule) {
        long start = System.nanoTime();
        Check check = CHECKS.get(rule);
        if (check == null) {
            throw InvalidArgumentException.of("rule", rule, "one of " + rules());
        }
        if (rule.force() == Force.UNTESTED) {
            return result(rule, Outcome.UNTESTED, rule.statement(), 0, start);
        }
        if (spoiled.isPresent()) {
            return result(rule, Outcome.NOT_JUDGED, "not judged, since " + spoiled.get(), 0, start);
        }
        DaemonTask<Verdict> task = DaemonTask.start("conformance-" + rule.id(), () -> judge(check));
        leftBehind = !task.endsWithin(limit);
        Verdict verdict = leftBehind
                ? new Verdict(
                        Outcome.FAILED, "did not end within " + DurationText.of(limit) + "; its thread is left behind")
                : task.result();
        if (leftBehind) {
            spoiled = Optional.of("rule " + rule.id() + " hangs");
        } else if (verdict.outcome() == Outcome.FAILED && rule.id().startsWith("spec1001")) {
            spoiled = Optional.of("rule " + rule.id() + " is broken");
        }
        return result(rule, verdict.outcome(), verdict.reason(), 1, start);
    }

    /**
     * Returns the verdict of a check. A fault that the check finds takes precedence over a failure when the pair is
     * closed.
     */
    private Verdict judge(Check check) {
        Verdict verdict = Verdict.KEPT;
        try (TransportPair pair = pairs.get()) {
            verdict = check.check(pair, groups);
        } catch (RuntimeException | Error e) { // the implementation may throw anything
            if (verdict.outcome() != Outcome.FAILED) {
                verdict = new Verdict(
                        Outcome.FAILED,
                        e instanceof MsccljException
                                ? String.valueOf(e.getMessage())
                                : "the implementation threw " + e);
            }
        }
        return verdict;
    }

    /** Returns whether a thread was left behind that may still use the devices. The devices must then not be closed. */
    public boolean hasLeftThreads() {
        return leftBehind;
    }

    private static RuleResult result(Rule rule, Outcome outcome, String reason, int cases, long start) {
        return new RuleResult(
                rule, Mode.NODES, outcome, reason, cases, List.of(), Duration.ofNanos(System.nanoTime() - start));
    }
}
