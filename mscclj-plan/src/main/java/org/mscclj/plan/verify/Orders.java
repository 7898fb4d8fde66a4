package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;

/**
 * Runs a plan once if one run decides, else in all orders in which contested counters can serve their waiters, up to a
 * bound.
 */
final class Orders {
    /** Runs, and operations of all runs together. */
    private static final int MOST_RUNS = 5_000;

    private static final long MOST_OPERATIONS = 50_000_000;

    /** Operations of a run: a minute or two of them. */
    private static final long MOST_OPERATIONS_OF_RUN = 200_000_000;

    private static final int MOST_TURNS_TOLD = 12;

    private final Plan plan;
    private final Scenario scenario;
    private final Set<OperationAddress> raised;
    private final ContestedCounters contested;
    private boolean equalBits = true;
    private @Nullable Set<Integer> roots;

    Orders(Plan plan, Scenario scenario, Set<OperationAddress> raised, ContestedCounters contested) {
        this.plan = plan;
        this.scenario = scenario;
        this.raised = raised;
        this.contested = contested;
    }

    /** Whether all runs gave equal bits on all ranks. */
    boolean equalBits() {
        return equalBits;
    }

    /** The ranks that all runs have served as root; none if the collective has no root. */
    Set<Integer> roots() {
        return roots == null ? Set.of() : roots;
    }

    /** Runs; what is wrong, if something is. */
    List<Finding> run() {
        long operations = operations();
        if (operations > MOST_OPERATIONS_OF_RUN / Verifier.LAUNCHES) {
            return List.of(new Finding(
                    Finding.Kind.UNDECIDED,
                    "a launch has " + operations + " operations; the verifier follows at most "
                            + MOST_OPERATIONS_OF_RUN / Verifier.LAUNCHES));
        }
        ContestedCounters withoutLocks = contested.withoutLocks(plan);
        if (withoutLocks.hasLocks()
                && run(withoutLocks, Verifier.LAUNCHES).isEmpty()) { // locks order nothing that needs an order
            return List.of();
        }
        if (!contested.isEmpty()) {
            equalBits = true;
            roots = null;
            List<Finding> findings = run(contested, 1); // what goes wrong in one launch is told in fewer words
            if (!findings.isEmpty()) {
                return findings;
            }
        }
        return run(contested, Verifier.LAUNCHES);
    }

    private List<Finding> run(ContestedCounters contested, int launches) {
        OrderSearch search = new OrderSearch();
        long most = contested.isEmpty()
                ? 1
                : Math.clamp(MOST_OPERATIONS / Math.max(1, launches * operations()), 1, MOST_RUNS);
        for (long runs = 0; runs < most; runs++) {
            search.beginRun();
            Machine machine = new Machine(plan, scenario, launches, raised, contested, search);
            List<Finding> findings = machine.run();
            if (!findings.isEmpty()) {
                return told(findings, machine.shortages(), search.turns());
            }
            equalBits &= machine.equalBits();
            if (roots == null) {
                roots = new TreeSet<>(machine.roots());
            }
            roots.retainAll(machine.roots());
            if (!search.endRun()) {
                return List.of();
            }
        }
        return contested.descriptions().stream()
                .map(who -> new Finding(
                        Finding.Kind.UNDECIDED,
                        who + ", so that what each of them gets depends on the schedule; " + most
                                + " orders were followed, and nothing was wrong, but there are more"))
                .toList();
    }

    /** Findings, and, from some one on, the order that leads to them. */
    private static List<Finding> told(List<Finding> findings, int from, List<String> turns) {
        List<Finding> told = new ArrayList<>(findings.subList(0, from));
        findings.subList(from, findings.size()).forEach(finding -> told.add(told(finding, turns)));
        return told;
    }

    /** A finding, and the order that leads to it. */
    private static Finding told(Finding finding, List<String> turns) {
        if (turns.isEmpty()) {
            return finding;
        }
        int untold = Math.max(0, turns.size() - MOST_TURNS_TOLD);
        String order = String.join(", ", turns.subList(untold, turns.size()));
        return new Finding(
                finding.kind(),
                finding.message() + "\n  when blocks are served in this order: "
                        + (untold == 0 ? "" : "(" + untold + " turns), ") + order);
    }

    private long operations() {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .mapToLong(this::times)
                .sum();
    }

    private long times(Operation operation) {
        return operation instanceof Operation.Pipeline pipeline
                ? (long) scenario.iterations(pipeline) * pipeline.operations().size()
                : 1;
    }
}
