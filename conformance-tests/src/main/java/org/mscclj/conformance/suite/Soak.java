package org.mscclj.conformance.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.group.GroupPool;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.resource.ProcessResources;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.rule.Scope;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;

/**
 * Runs random cases of all rules for a long time. The groups are opened and closed again and again: at the end of each
 * round, and after each case that leaves its group unusable, as aborts, losses and kills do. All cases must pass. At
 * the end the process must hold what it held when it was warm, and its memory must not grow from round to round. The
 * resources of ranks that are processes are not measured. Used by one thread.
 */
public final class Soak {
    private static final int CASES_OF_A_ROUND = 150;
    private static final int MAX_FAILURES = 5;

    /** The time within which threads and files must end. Threads of pools end a minute after their last work. */
    private static final Duration SETTLING = Duration.ofSeconds(75);

    /** Findings of a case that are not faults. */
    private static final Set<FindingKind> RIGHT = EnumSet.of(FindingKind.NO_PART, FindingKind.UNSUPPORTED);

    private final Duration timeout;
    private final Mode mode;
    private final SuiteOptions options;
    private final RankGroups groups;
    private final Random random;
    private final List<Candidate> candidates;
    private final List<CaseResult> failures = new ArrayList<>();
    private final List<String> leaks = new ArrayList<>();
    private final Set<String> tried = new HashSet<>();
    private long cases;
    private int rounds;

    /** A rule and its cases. */
    private record Candidate(Rule rule, List<TestCase> cases) {}

    /**
     * Creates a soak.
     *
     * @param groups opens the implementation's groups
     * @param capabilities what the implementation declares
     */
    public Soak(Mode mode, SuiteOptions options, RankGroups groups, Capabilities capabilities) {
        this(mode, options, groups, capabilities, SETTLING);
    }

    /** Creates a soak with another time within which threads and files must end. */
    Soak(Mode mode, SuiteOptions options, RankGroups groups, Capabilities capabilities, Duration timeout) {
        this.timeout = timeout;
        this.mode = mode;
        this.options = options;
        this.groups = groups;
        this.random = new Random(options.seed());
        this.candidates = candidates(mode, options, capabilities);
    }

    private static List<Candidate> candidates(Mode mode, SuiteOptions options, Capabilities capabilities) {
        Scope scope = new Scope(mode, capabilities, options.depth(), options.worlds(), options.seed());
        List<Candidate> all = new ArrayList<>();
        for (Rule rule : Rules.all()) {
            boolean promised = rule.feature()
                    .map(feature -> capabilities.features().contains(feature))
                    .orElse(!rule.isOfTheUndeclared());
            if (promised && rule.untestedIn(mode).isEmpty()) {
                List<TestCase> cases = rule.cases(scope);
                if (!cases.isEmpty()) {
                    all.add(new Candidate(rule, cases));
                }
            }
        }
        return all;
    }

    /**
     * Runs for this duration, and at least until a case of every rule was tried.
     *
     * @throws InvalidArgumentException if nothing that is declared has a case
     */
    public SoakResult run(Duration length) {
        if (candidates.isEmpty()) {
            throw InvalidArgumentException.of(
                    "what is declared", "nothing that rules have cases for", "more than that");
        }
        long start = System.nanoTime();
        long end = start + length.toNanos();
        warmUp();
        ProcessResources before = ProcessResources.now();
        List<ProcessResources> samples = new ArrayList<>();
        do {
            round(end);
            samples.add(ProcessResources.now());
        } while (System.nanoTime() < end && failures.size() < MAX_FAILURES);
        ProcessResources after = ProcessResources.settled(before, timeout);
        leaks.addAll(after.growthSince(before));
        leaks.addAll(ProcessResources.growthOver(samples));
        return new SoakResult(
                mode,
                options.seed(),
                cases,
                tried.size(),
                rounds,
                failures,
                leaks,
                before,
                after,
                Duration.ofNanos(System.nanoTime() - start));
    }

    /**
     * Tries one case of every rule, however long that takes, so that everything that starts at its first use and stays
     * has started.
     */
    private void warmUp() {
        rounds++;
        GroupPool pool = new GroupPool(groups, mode);
        try (pool) {
            for (Candidate candidate : candidates) {
                if (failures.size() < MAX_FAILURES) {
                    tryOne(pool, candidate);
                }
            }
        }
        leaks.addAll(pool.closingFailures());
    }

    /** Tries at least one case, on groups that are closed at the end. */
    private void round(long end) {
        rounds++;
        GroupPool pool = new GroupPool(groups, mode);
        try (pool) {
            for (int i = 0; i < CASES_OF_A_ROUND && failures.size() < MAX_FAILURES; i++) {
                tryOne(pool, candidates.get(random.nextInt(candidates.size())));
                if (System.nanoTime() >= end) {
                    break;
                }
            }
        }
        leaks.addAll(pool.closingFailures());
    }

    private void tryOne(GroupPool pool, Candidate candidate) {
        TestCase wanted = candidate.cases.get(random.nextInt(candidate.cases.size()));
        boolean replays = options.graphs() && candidate.rule.check().canReplay();
        TestCase test = wanted.seed(random.nextInt(Integer.MAX_VALUE)).graph(wanted.graph() || replays);
        tried.add(candidate.rule.id());
        cases++;
        try {
            List<RankVerdict> verdicts =
                    pool.run(test, candidate.rule.check(), candidate.rule.groupKind(), candidate.rule.spoilsGroup());
            EnumSet<FindingKind> wrong = EnumSet.allOf(FindingKind.class);
            wrong.removeAll(RIGHT);
            String found = Judge.texts(verdicts, wrong);
            CaseResult result = Judge.judge(candidate.rule, test, verdicts);
            if (result.outcome() == Outcome.FAILED || !found.isEmpty()) {
                failures.add(new CaseResult(test, Outcome.FAILED, found.isEmpty() ? result.reason() : found));
            }
        } catch (RuntimeException | Error e) { // the implementation may throw anything
            failures.add(new CaseResult(test, Outcome.FAILED, "the implementation threw " + e));
        }
    }
}
