package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * Proves a plan, or refutes it, without running it: all ranks are executed with symbolic values, over several launches,
 * and every access is checked against every earlier one that it conflicts with. See decision 0014 for what is proved,
 * and why one run is enough.
 */
public final class Verifier {
    /** Memory that launches use by turns meets itself in the launch after the next. */
    static final int LAUNCHES = 3;

    /** Values are numbered, and each cell of all buffers has a state of its own. */
    private static final long MOST_CELLS = 1L << 28;

    private Verifier() {}

    /**
     * Verifies a plan as engines run it: relaxed signals that must release are raised, and noted.
     *
     * @param plan a valid plan
     */
    public static Verdict verify(Plan plan) {
        return verify(plan, false);
    }

    /**
     * Verifies a plan.
     *
     * @param plan a valid plan
     * @param strict whether relaxed signals order nothing but reads, as they say
     */
    public static Verdict verify(Plan plan, boolean strict) {
        try {
            return judge(plan, strict);
        } catch (RuntimeException e) { // whoever only wants to be warned goes on without a proof
            String message = "the verifier failed, which is a defect of it, not of the plan: " + e;
            return Verdict.unproved(List.of(new Finding(Finding.Kind.UNDECIDED, message)), List.of());
        }
    }

    private static Verdict judge(Plan plan, boolean strict) {
        Optional<String> contradiction = FixedReduceOp.contradiction(plan);
        if (contradiction.isPresent()) {
            String message = "no call can run the plan: " + contradiction.get();
            return Verdict.unproved(List.of(new Finding(Finding.Kind.NOT_CALLABLE, message)), List.of());
        }
        Set<OperationAddress> raised = new LinkedHashSet<>(RelaxedSignals.needingRelease(plan));
        List<String> notes = new ArrayList<>();
        if (!raised.isEmpty()) {
            notes.add("relies on engines to raise " + raised.size() + " relaxed signals to full ones, the first at "
                    + raised.iterator().next());
        }
        ContestedCounters contested = ContestedCounters.of(plan);
        boolean equalBits = true;
        Set<Integer> roots = null;
        for (Scenario scenario : Scenario.of(plan)) {
            long cells = cells(plan, scenario);
            if (cells > MOST_CELLS) {
                return Verdict.unproved(List.of(tooLarge(cells)), notes);
            }
            Orders orders = new Orders(plan, scenario, strict ? Set.of() : raised, contested);
            List<Finding> findings = orders.run();
            if (!findings.isEmpty()) {
                return Verdict.unproved(findings, notes);
            }
            equalBits &= orders.equalBits();
            if (roots == null) {
                roots = new TreeSet<>(orders.roots());
            }
            roots.retainAll(orders.roots());
        }
        List<Finding> open = new ArrayList<>(OpenChoices.of(plan));
        open.addAll(new PipelineSizes(plan).undecided());
        if (!open.isEmpty()) {
            return Verdict.unproved(open, notes);
        }
        for (String who : contested.descriptions()) {
            notes.add(who + "; all orders in which they can be served are right");
        }
        notes.addAll(Scenario.untried(plan));
        return new Verdict(List.of(), equalBits, roots == null ? Set.of() : roots, notes);
    }

    private static long cells(Plan plan, Scenario scenario) {
        long chunks = plan.ranks().stream()
                .mapToLong(rank -> (long) rank.inputChunks() + rank.outputChunks() + rank.scratchChunks())
                .sum();
        return chunks * scenario.cellsPerChunk() * (LAUNCHES + 1);
    }

    private static Finding tooLarge(long cells) {
        return new Finding(
                Finding.Kind.UNDECIDED,
                "the plan has " + cells + " cells in " + LAUNCHES + " launches; the verifier follows at most "
                        + MOST_CELLS);
    }
}
