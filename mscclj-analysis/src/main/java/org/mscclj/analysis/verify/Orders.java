package org.mscclj.analysis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.machine.SymbolicMachine;
import org.mscclj.analysis.verify.order.ContestedCounters;
import org.mscclj.analysis.verify.order.OrderSearch;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;

/**
 * Runs a plan once if one run decides; otherwise in all orders in which contested counters can serve their waiters, up
 * to a bound.
 */
final class Orders {
    /** Bounds on the number of runs, and on the operations of all runs together. */
    private static final int MAX_RUNS = 5_000;

    private static final long MAX_OPERATIONS = 50_000_000;

    /** Bound on the operations of one run, about one or two minutes. */
    private static final long MAX_OPERATIONS_OF_RUN = 200_000_000;

    private static final int MAX_TURNS_SHOWN = 12;

    private final Plan plan;
    private final CheckedSize scenario;
    private final Set<OperationAddress> raised;
    private final ContestedCounters contested;
    private boolean equalBits = true;
    private @Nullable Set<Integer> roots;

    Orders(Plan plan, CheckedSize scenario, Set<OperationAddress> raised, ContestedCounters contested) {
        this.plan = plan;
        this.scenario = scenario;
        this.raised = raised;
        this.contested = contested;
    }

    /** Whether all ranks got equal bits in all runs. */
    boolean equalBits() {
        return equalBits;
    }

    /** The ranks that all runs treated as root; empty if the collective has no root. */
    Set<Integer> roots() {
        return roots == null ? Set.of() : roots;
    }

    /** Runs and returns the findings. */
    List<Finding> run() {
        long operations = operations();
        if (operations > MAX_OPERATIONS_OF_RUN / Verifier.LAUNCHES) {
            return List.of(new Finding(
                    Finding.Kind.UNDECIDED,
                    "a launch has " + operations + " operations; the verifier follows at most "
                            + MAX_OPERATIONS_OF_RUN / Verifier.LAUNCHES));
        }
        ContestedCounters withoutLocks = contested.withoutLocks(plan);
        if (withoutLocks.hasLocks()
                && run(withoutLocks, Verifier.LAUNCHES).isEmpty()) { // no access needs the order of the locks
            return List.of();
        }
        if (!contested.isEmpty()) {
            equalBits = true;
            roots = null;
            List<Finding> findings = run(contested, 1); // the description of a fault in one launch is shorter
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
                : Math.clamp(MAX_OPERATIONS / Math.max(1, launches * operations()), 1, MAX_RUNS);
        for (long runs = 0; runs < most; runs++) {
            search.beginRun();
            SymbolicMachine machine = new SymbolicMachine(plan, scenario, launches, raised, contested, search);
            List<Finding> findings = machine.run();
            if (!findings.isEmpty()) {
                return withOrder(findings, machine.shortages(), search.turns());
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
                .map(counter -> new Finding(
                        Finding.Kind.UNDECIDED,
                        counter + ", so the result of each depends on the schedule; " + most
                                + " orders were followed without a fault, but there are more"))
                .toList();
    }

    /** Findings; those from an index on get the order that leads to them. */
    private static List<Finding> withOrder(List<Finding> findings, int from, List<String> turns) {
        List<Finding> ordered = new ArrayList<>(findings.subList(0, from));
        findings.subList(from, findings.size()).forEach(finding -> ordered.add(withOrder(finding, turns)));
        return ordered;
    }

    /** A finding with the order that leads to it. */
    private static Finding withOrder(Finding finding, List<String> turns) {
        if (turns.isEmpty()) {
            return finding;
        }
        int omitted = Math.max(0, turns.size() - MAX_TURNS_SHOWN);
        String order = String.join(", ", turns.subList(omitted, turns.size()));
        return new Finding(
                finding.kind(),
                finding.message() + "\n  when blocks are served in this order: "
                        + (omitted == 0 ? "" : "(" + omitted + " turns), ") + order);
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
