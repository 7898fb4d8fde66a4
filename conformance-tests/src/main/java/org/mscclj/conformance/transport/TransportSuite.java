package org.mscclj.conformance.transport;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rule.Force;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;

/** One transport against the rules of transports. Each rule has a pair of ranks of its own. Used by one thread. */
public final class TransportSuite {
    private static final Map<Rule, Function<TransportPair, Verdict>> CHECKS = checks();

    private final Supplier<TransportPair> pairs;
    private boolean unreachable;

    /**
     * A suite.
     *
     * @param pairs opens pairs of ranks
     */
    public TransportSuite(Supplier<TransportPair> pairs) {
        this.pairs = pairs;
    }

    private static Map<Rule, Function<TransportPair, Verdict>> checks() {
        Map<Rule, Function<TransportPair, Verdict>> checks = new LinkedHashMap<>();
        checks.put(
                rule("spec1001_reachingIsMutual", "If a rank reaches another, that one reaches it."),
                judging(TransportChecks::reaches));
        checks.put(
                rule("spec1002_writesLandWhole", "A write of any size and offset brings exactly its bytes."),
                judging(TransportChecks::writes));
        checks.put(
                rule("spec1003_signalsComeAfterWrites", "Who sees a signal sees every write before it."),
                judging(TransportChecks::order));
        checks.put(
                rule("spec1004_completedMeansRead", "What is completed has left its source, which may be changed."),
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
                pair -> Verdict.KEPT);
        checks.put(
                rule("spec1009_portPlansRunOverIt", "Plans whose port channels take it compute what they should."),
                PortPlanCheck::check);
        return checks;
    }

    /** A check that finds something wrong, or an empty text. */
    private static Function<TransportPair, Verdict> judging(Function<TransportPair, String> check) {
        return check.andThen(Verdict::ofProblem);
    }

    private static Rule rule(String id, String statement) {
        return Rule.transport(id, statement);
    }

    /** The rules, in order. */
    public static List<Rule> rules() {
        return List.copyOf(CHECKS.keySet());
    }

    /** Checks a rule. */
    public RuleResult check(Rule rule) {
        long start = System.nanoTime();
        Function<TransportPair, Verdict> check = CHECKS.get(rule);
        if (check == null) {
            throw InvalidArgumentException.of("rule", rule, "one of " + rules());
        }
        if (rule.force() == Force.UNTESTED) {
            return result(rule, Outcome.UNTESTED, rule.statement(), 0, start);
        }
        if (unreachable) {
            return result(
                    rule, Outcome.NOT_JUDGED, "not judged, since rule spec1001_reachingIsMutual is broken", 0, start);
        }
        Verdict verdict;
        try (TransportPair pair = pairs.get()) {
            verdict = check.apply(pair);
        } catch (MsccljException e) {
            verdict = new Verdict(Outcome.FAILED, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) { // of the implementation, which may throw anything
            verdict = new Verdict(Outcome.FAILED, "the implementation threw " + e);
        }
        unreachable |= verdict.outcome() == Outcome.FAILED && rule.id().startsWith("spec1001");
        return result(rule, verdict.outcome(), verdict.reason(), 1, start);
    }

    private static RuleResult result(Rule rule, Outcome outcome, String reason, int cases, long start) {
        return new RuleResult(
                rule, Mode.NODES, outcome, reason, cases, List.of(), Duration.ofNanos(System.nanoTime() - start));
    }
}
